import type { ComponentChildren } from "preact";

/// A choice is a value, or a value and its name.
export type Named = string | [value: string, name: string];
const pair = (choice: Named): [string, string] => (typeof choice === "string" ? [choice, choice] : choice);

interface Props {
  label: string;
  value: string;
  choices: Named[];
  onChange: (value: string) => void;
  testid?: string;
}

export function Select({ label, value, choices, onChange, testid }: Props) {
  return (
    <label class="control">
      <span>{label}</span>
      <select value={value} data-testid={testid} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(pair).map(([choice, name]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/// A few choices side by side.
export function Switch({ label, value, choices, onChange, testid }: Props) {
  return (
    <div class="control" role="group" aria-label={label} data-testid={testid}>
      <span aria-hidden="true">{label}</span>
      <span class="switch">
        {choices.map(pair).map(([choice, name]) => (
          <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>
            {name}
          </button>
        ))}
      </span>
    </div>
  );
}

/// A part of the page with a heading that an address can point to.
export function Section(props: { id: string; title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section id={`section-${props.id}`} data-testid={props.id} aria-labelledby={`heading-${props.id}`}>
      <header class="section-header">
        <h2 id={`heading-${props.id}`} tabIndex={-1}>
          {props.title}
        </h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

export function scrollToSection(id: string) {
  const heading = document.getElementById(`heading-${id}`);
  document.getElementById(`section-${id}`)?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
