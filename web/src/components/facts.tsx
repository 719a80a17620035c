import { useState } from "preact/hooks";
import { type Study, domainsOf, progressOf } from "../data";
import { count, percent } from "../numbers";

export function Incomplete({ study }: { study: Study }) {
  const { runs, planned } = progressOf(study);
  if (runs >= planned) return null;
  return (
    <p class="banner" role="status" data-testid="incomplete">
      not complete: {percent(runs, planned)} of the runs are done; ranks may change
    </p>
  );
}

/// What the study file says about the study. Lines end where they end in the file; empty lines separate paragraphs.
export function About({ study }: { study: Study }) {
  const paragraphs = study.about.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  return (
    <div class="about">
      {paragraphs.map((text, i) => (
        <p key={i}>{text}</p>
      ))}
    </div>
  );
}

/// Where the numbers of a study come from, and the command that produces them again.
export function Facts({ study }: { study: Study }) {
  const { runs, planned, diverged } = progressOf(study);
  const domains = domainsOf(study);
  const facts: [string, string][] = [
    ["study", `${study.name}, scale ${study.scale}`],
    [domains.length > 1 ? "domains" : "domain", domains.join(", ")],
    ...(study.cases.length > 1 ? [["cases", count(study.cases.length)] as [string, string]] : []),
    ["features", features(study)],
    ["learners", count(study.learners.length)],
    ["settings", count(study.settings.id.length)],
    ["runs", runs === planned ? count(runs) : `${count(runs)} of ${count(planned)}`],
    ["diverged", diverged === 0 ? "none" : `${count(diverged)} (${percent(diverged, runs)})`],
    ["machine", study.machine],
    ["version", study.version],
    ["created", study.created.replace("T", " ").replace("Z", " UTC")],
    ["file", study.file],
  ];
  return (
    <>
      <dl class="facts" data-testid="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Command text={study.command} />
    </>
  );
}

/// The number of features, over all cases.
function features({ settings }: Study): string {
  const [low, high] = [Math.min(...settings.dim), Math.max(...settings.dim)];
  return low === high ? count(low) : `${count(low)} to ${count(high)}`;
}

export function Command({ text }: { text: string }) {
  const [said, say] = useState("");
  const copy = async () => {
    say((await copied(text)) ? "copied" : "not possible here");
    setTimeout(() => say(""), 2000);
  };
  return (
    <div class="command">
      <code data-testid="command">{text}</code>
      <button type="button" class="quiet no-print" onClick={copy} aria-label="copy the command">
        {said || "Copy"}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </div>
  );
}

/// A browser may refuse the clipboard to pages from disk; then the older way is tried.
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
