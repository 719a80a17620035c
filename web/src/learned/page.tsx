import { useEffect, useState } from "preact/hooks";
import { Section, Select, scrollToSection } from "../components/controls";
import { Theme } from "../components/theme";
import { Answer, Warnings } from "./answer";
import type { Learned } from "./data";
import { Calibration, ColumnTable, Learning, Making, Values } from "./sections";

const sections = [
  ["answer", "Answer"],
  ["warnings", "Warnings"],
  ["columns", "Columns"],
  ["values", "Values"],
  ["learning", "Learning"],
  ["calibration", "Calibration"],
  ["making", "How it was made"],
];

/// The target that the address names, the first if it names none: #target=cost
function targetInAddress({ summary }: Learned): number {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("target");
  return Math.max(
    0,
    summary.targets.findIndex(({ name }) => name === wanted),
  );
}

/// What `bellwether learn` found: the answer first, then whether to trust it, then where it comes from.
export function LearnedPage({ learned }: { learned: Learned }) {
  const [index, setIndex] = useState(() => targetInAddress(learned));
  const { targets } = learned.summary;
  useEffect(() => {
    const follow = () => setIndex(targetInAddress(learned));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [learned]);
  useEffect(() => {
    document.title = `${targets[index].question} \u00b7 Bellwether`;
  }, [index]);
  const choose = (choice: string) => {
    history.replaceState(null, "", `#${new URLSearchParams({ target: targets[Number(choice)].name })}`);
    setIndex(Number(choice));
  };
  const props = { learned, index };
  return (
    <>
      <header class="side no-print">
        <p class="brand">
          Bellwether <span>learned</span>
        </p>
        <nav aria-label="Sections">
          <ul>
            {sections.map(([id, name]) => (
              <li key={id}>
                <a
                  href={`#section-${id}`}
                  onClick={(event) => {
                    event.preventDefault();
                    scrollToSection(id);
                  }}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Theme />
      </header>
      <main id="content" class="learned">
        {targets.length > 1 && (
          <div class="controls">
            <Select
              label="what is asked for"
              value={String(index)}
              choices={targets.map(({ name }, i): [string, string] => [String(i), name])}
              onChange={choose}
              testid="target"
            />
          </div>
        )}
        <section id="section-answer" data-testid="answer-section">
          <Answer {...props} />
        </section>
        <Section id="warnings" title="Before you trust it">
          <Warnings learned={learned} />
        </Section>
        <ColumnTable learned={learned} />
        <Values key={`values ${index}`} {...props} />
        <Learning key={`learning ${index}`} {...props} />
        <Calibration key={`calibration ${index}`} {...props} />
        <Making learned={learned} />
        <footer>
          Made by bellwether {learned.version}. All intervals are 95 % intervals, from learners of random halves of the
          episodes; they do not show what all halves share, such as poor features.
        </footer>
      </main>
    </>
  );
}
