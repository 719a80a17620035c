import { useEffect, useState } from "preact/hooks";
import { Switch } from "./controls";

const key = "bellwether-theme";
const themes = ["auto", "light", "dark"];

/// A browser may refuse storage to pages from disk; then the choice lasts until the page is closed.
function remembered(): string {
  try {
    const theme = localStorage.getItem(key);
    return theme !== null && themes.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}

/// Only a choice is stored: to store what was found at the start would undo that of another window.
function remember(theme: string) {
  try {
    localStorage.setItem(key, theme);
  } catch {
    return;
  }
}

export function Theme() {
  const [theme, setTheme] = useState(remembered);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
  }, [theme]);
  const choose = (choice: string) => {
    remember(choice);
    setTheme(choice);
  };
  return <Switch label="colours" value={theme} choices={themes} onChange={choose} testid="theme" />;
}
