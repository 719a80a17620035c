/// A study in which every text tries to become markup.
const image = '<img src="x" onerror="boom()">';

export const hostile = {
  name: "<img src=x onerror=boom()>&quot;' #?%2F",
  title: `</script><script>boom()</script><!--<script> \u2028\u2029 ${image}`,
  about: `]]> --> <svg onload="boom()"> {{boom()}} \${boom()} javascript:boom() \u{1F9EA}`,
  figure: `"><a href="javascript:boom()">figure</a> \u2028`,
  labels: [
    image,
    `</script> & &amp; " ' \` \\ \u2028\u2029`,
    "__proto__",
    "constructor",
    "\u{1F9EA}\u{1F469}\u200D\u{1F52C} \u202Etfel ot thgir\u202C \u05D0\u05D1\u05D2",
    "a label that goes on and on ".repeat(6).trim() + " " + "withoutanyplacetobreak".repeat(4),
  ],
  /// A log whose columns have such names, and the options that name them.
  get log() {
    const header = [this.labels[0], this.labels[1], "__proto__"].map((name) => `"${name.replaceAll('"', '""')}"`);
    const rows = Array.from({ length: 900 }, (_, t) => `${t % 3},${(t * 7) % 5},${t % 2},${t % 3 === 2 ? 1 : 0}`);
    return [`${header.join(",")},done`, ...rows].join("\n") + "\n";
  },
  columns: ["--state", '<img src="x" onerror="boom()">', "--reward", "__proto__"],
  get study() {
    const text = (words: string) => JSON.stringify(words);
    return `
title = ${text(this.title)}
about = ${text(this.about)}
[domain]
name = "boyan_chain"
[run]
steps = 200
every = 20
seeds = 10
${this.labels.map((label) => `[[learner]]\nname = "td"\nlabel = ${text(label)}\nalpha = [0.05, 0.1, 0.2]\n`).join("")}
[[figure]]
title = ${text(this.figure)}
shows = "sensitivity"
learners = [${this.labels.slice(0, 3).map(text).join(", ")}]
`;
  },
};
