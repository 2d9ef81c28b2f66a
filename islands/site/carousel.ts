/**
 * Turns a section's list of slides into a carousel by the ARIA pattern; it is still a list. It plays by itself
 * and loops (LAND-03, LAND-04), stops for good when a person takes over, pauses while a pointer or the focus is on it, and
 * does not start if reduced motion is preferred.
 */
export function carousel(section: HTMLElement): void {
  const strip = section.querySelector("ul");
  const controls = section.querySelector<HTMLElement>(".controls");
  const toggle = section.querySelector<HTMLButtonElement>(".toggle");
  const slides = [...(strip?.children ?? [])] as HTMLElement[];
  if (!strip || !controls || !toggle || slides.length < 2) return;

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let current = 0;
  let playing = !still.matches;
  let held = false;
  let timer = 0;

  const mark = (index: number) => {
    current = index;
    slides.forEach((slide, at) => {
      slide.toggleAttribute("data-current", at === index);
    });
  };

  // At the last stop the last slide is whole; where all are, there is one stop.
  const width = () => (slides[1]?.offsetLeft ?? 0) - (slides[0]?.offsetLeft ?? 0);
  const stops = () => Math.round((strip.scrollWidth - strip.clientWidth) / width()) + 1;

  // Scroll only the strip, because a carousel must not scroll the page under its reader.
  const go = (index: number) => {
    mark((index + stops()) % stops());
    strip.scrollTo({ left: current * width(), behavior: still.matches ? "auto" : "smooth" });
  };

  const run = () => {
    clearInterval(timer);
    if (playing && !held) timer = window.setInterval(() => go(current + 1), Number(section.dataset.interval));
  };

  const play = (wanted: boolean) => {
    playing = wanted;
    toggle.dataset.playing = String(wanted);
    toggle.setAttribute("aria-label", wanted ? "Pause the slides" : "Play the slides");
    strip.setAttribute("aria-live", wanted ? "off" : "polite");
    run();
  };

  const hold = (wanted: boolean) => () => {
    held = wanted;
    run();
  };

  const step = (by: number) => {
    play(false);
    go(current + by);
  };

  toggle.addEventListener("click", () => play(!playing));
  section.querySelector(".step-back")?.addEventListener("click", () => step(-1));
  section.querySelector(".step-on")?.addEventListener("click", () => step(1));
  section.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    step(by);
  });
  section.addEventListener("mouseenter", hold(true));
  section.addEventListener("mouseleave", hold(false));
  section.addEventListener("focusin", hold(true));
  section.addEventListener("focusout", hold(false));
  still.addEventListener("change", () => still.matches && play(false));

  // A finger or a wheel on the strip takes over.
  const takeOver = () => playing && play(false);
  strip.addEventListener("touchstart", takeOver, { passive: true });
  strip.addEventListener("wheel", ({ deltaX }) => deltaX && takeOver(), { passive: true });
  strip.addEventListener("scrollend", () => !playing && mark(Math.round(strip.scrollLeft / width())));

  section.setAttribute("aria-roledescription", "carousel");
  strip.setAttribute("aria-label", "Slides");
  strip.tabIndex = 0;
  slides.forEach((slide, at) => {
    slide.setAttribute("aria-roledescription", "slide");
    slide.setAttribute("aria-label", `${at + 1} of ${slides.length}`);
  });
  section.classList.add("live");
  new ResizeObserver(() => {
    controls.hidden = stops() < 2;
  }).observe(strip);
  mark(0);
  play(playing);
}
