import { defineConfig, type Plugin } from "vite";

/// What the program looks for, and fills.
const data = '<script type="application/json" id="bellwether-data">null</script>';

/// Puts scripts and styles into the page, which then is one file that needs no other and no network. The script comes
/// last, after the data.
function inOneFile(): Plugin {
  return {
    name: "in-one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no index.html");
      let html = String(page.source).replace(/\s*<(script|link)\b[^>]*\b(src|href)="\.\/[^>]*>(<\/script>)?/g, "");
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const insert = (text: string, before: string) => (html = html.replace(before, () => text + before));
        if (file.type === "chunk") {
          const code = file.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
          insert(`<script type="module">${code}</script>\n  `, "</body>");
        } else if (name.endsWith(".css")) {
          insert(`<style>${String(file.source)}</style>\n  `, "</head>");
        } else {
          throw new Error(`${name} cannot be put into the page`);
        }
        delete bundle[name];
      }
      if (html.split(data).length !== 2) throw new Error(`${data} must be in the page once`);
      page.source = html;
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [inOneFile()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1e9,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
});
