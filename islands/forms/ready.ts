import { isEmail } from "../email";

/** isComplete reports whether the server would accept a step as it is. */
export function isComplete(form: HTMLFormElement): boolean {
  return form.checkValidity() && !hasBlank(form) && emailsWhole(form) && everyGroupChosen(form) && holdersListed(form);
}

/** emailsWhole refuses an address whose domain has no dot, which browsers accept. */
function emailsWhole(form: HTMLFormElement): boolean {
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[type="email"]')];
  return fields.every(({ value }) => !value.trim() || isEmail(value.trim()));
}

/** hasBlank finds a required field that holds only blanks, which browsers accept. */
function hasBlank(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement>("input[required]")].some((field) => !field.value.trim());
}

function everyGroupChosen(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll("fieldset[data-required]")].every((group) => group.querySelector(":checked"));
}

/** holdersListed reports whether the list of the people behind the business is as long and complete as its data attributes ask. */
function holdersListed(form: HTMLFormElement): boolean {
  const list = form.querySelector<HTMLElement>("[data-people]");
  if (!list) return true;
  const people = [...list.querySelectorAll("fieldset.row")].map((row) => ({
    named: !!row.querySelector<HTMLInputElement>('input[name="name"]')?.value.trim(),
    roles: [...row.querySelectorAll<HTMLInputElement>(".roles :checked")].map((box) => box.name),
  }));
  const listed = people.filter(({ named, roles }) => named || roles.length > 0);
  const { people: least, role, eachRole } = list.dataset;
  return (
    listed.length >= Number(least) &&
    listed.every(({ named, roles }) => named && (eachRole === undefined || roles.length > 0)) &&
    (!role || listed.some(({ roles }) => roles.includes(role)))
  );
}
