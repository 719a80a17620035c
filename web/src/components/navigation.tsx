import type { Report } from "../data";
import { type View, hashOf, studyHash } from "../view";
import { scrollToSection } from "./controls";
import { Theme } from "./theme";

const sections = [
  ["curves", "Curves"],
  ["sensitivity", "Sensitivity"],
  ["cost", "Cost"],
  ["settings", "Settings"],
  ["protocol", "Protocol"],
];

export function Navigation({ report, keys, view }: { report: Report; keys: string[]; view: View | null }) {
  const study = report.studies[keys.indexOf(view?.study ?? "")];
  return (
    <header class="side no-print">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}>
        Skip to the content
      </button>
      <p class="brand">
        Bellwether <span>report</span>
      </p>
      <nav aria-label="Studies" data-testid="studies">
        <ul>
          <li>
            <a href="#overview" aria-current={view ? undefined : "page"}>
              Overview
            </a>
          </li>
          {report.studies.map((study, i) => (
            <li key={keys[i]}>
              <a href={studyHash(keys[i])} aria-current={view?.study === keys[i] ? "page" : undefined}>
                {study.title} <small>{study.scale}</small>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {view && study && (
        <nav aria-label="Sections" class="sections">
          <ul>
            {sections.map(([id, name]) => (
              <li key={id}>
                <a href={hashOf({ ...view, shows: id }, study)} onClick={() => scrollToSection(id)}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Theme />
    </header>
  );
}
