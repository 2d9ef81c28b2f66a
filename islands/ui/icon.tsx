/** Icons from Lucide (ISC licence), drawn as the server draws them. They are decoration: words say the same. */
const paths = {
  "arrow-right": "M5 12h14M12 5l7 7-7 7",
  check: "M20 6 9 17l-5-5",
  "chevron-down": "m6 9 6 6 6-6",
  "circle-alert": "M12 8v4M12 16h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0",
  clock: "M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0",
  "triangle-alert": "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01",
  x: "M18 6 6 18M6 6l12 12",
};

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
