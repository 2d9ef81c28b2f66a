/** The icons that islands draw. */
export {
  "arrow-right" as arrowRight,
  check,
  "chevron-down" as chevronDown,
  "circle-alert" as circleAlert,
  clock,
  "triangle-alert" as triangleAlert,
  x,
} from "../views/ui/icons.json";
