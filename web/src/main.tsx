import { render } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Navigation } from "./components/navigation";
import { Overview } from "./components/overview";
import { scrollToSection } from "./components/controls";
import { StudyPage } from "./components/study_page";
import { type Report, readData, studyKeys } from "./data";
import { LearnedPage } from "./learned/page";
import { type View, hashOf, parseView } from "./view";

function App({ report }: { report: Report }) {
  const [view, setView] = useState(() => parseView(location.hash, report));
  const keys = useMemo(() => studyKeys(report), [report]);
  const study = view && report.studies[keys.indexOf(view.study)];
  const latest = useRef(view);
  latest.current = view;

  useEffect(() => {
    const follow = () => setView(parseView(location.hash, report));
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("hashchange", follow);
    };
  }, [report]);

  const update = useCallback(
    (change: Partial<View>, replace = false) => {
      const changed = { ...latest.current!, ...change };
      const hash = hashOf(changed, report.studies[keys.indexOf(changed.study)]);
      history[replace ? "replaceState" : "pushState"](null, "", hash);
      setView(changed);
    },
    [report, keys],
  );

  useEffect(() => {
    document.title = study ? `${study.title} \u00b7 Bellwether` : "Bellwether report";
    if (view?.shows) scrollToSection(view.shows);
    else scrollTo(0, 0);
  }, [view?.study, view?.shows]);

  return (
    <>
      <Navigation report={report} keys={keys} view={view} />
      <main id="content">
        {view && study ? (
          <StudyPage key={view.study} {...{ study, view, update }} />
        ) : (
          <Overview {...{ report, keys }} />
        )}
        <footer>
          Made by bellwether {report.version}. All intervals are 95 % intervals; means leave out diverged runs.
        </footer>
      </main>
    </>
  );
}

const page = document.getElementById("page")!;
const data = readData();
if (data && "learned" in data) render(<LearnedPage learned={data.learned} />, page);
else if (data && data.studies.length > 0) render(<App report={data} />, page);
else
  render(
    <p class="nothing">There is no data in this page. The command bellwether report makes pages with data.</p>,
    page,
  );
