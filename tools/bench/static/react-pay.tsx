import { type SubmitEvent, useState } from "react";
import { hydrateRoot } from "react-dom/client";

interface Props {
  name: string;
  id: string;
  amount: string;
  currency: string;
  table: string;
  order: { name: string; price: string; order: { qty: number }; info: { image: string } }[];
  fields: { name: string; label: string; autocomplete: string; mode: "text" | "numeric" | "email" }[];
}

type Values = Record<string, string>;

const digits = (text: string) => text.replace(/\D/g, "");

// shape formats what is typed into a field.
function shape(name: string, text: string): string {
  if (name === "card")
    return digits(text)
      .slice(0, 20)
      .replace(/(\d{4})(?=\d)/g, "$1 ");
  if (name === "exp")
    return digits(text)
      .slice(0, 4)
      .replace(/^(\d\d)(?=\d)/, "$1/");
  return name === "cvc" ? digits(text).slice(0, 4) : text;
}

function checksum(number: string): boolean {
  let sum = 0;
  [...digits(number)].reverse().forEach((digit, i) => {
    const twice = Number(digit) * ((i % 2) + 1);
    sum += twice > 9 ? twice - 9 : twice;
  });
  return sum % 10 === 0;
}

function check(values: Values): Values {
  const problems: Values = {};
  if (!values.name) problems.name = "Enter the name on the card";
  if (!/^\d{12,20}$/.test(digits(values.card ?? ""))) problems.card = "Enter the card number";
  else if (!checksum(values.card ?? "")) problems.card = "That is not a valid card number";
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(values.exp ?? "")) problems.exp = "Enter the expiry date as MM/YY";
  if (!/^\d{3,4}$/.test(values.cvc ?? "")) problems.cvc = "Enter the CVC";
  return problems;
}

function Payment(page: Props) {
  const [values, setValues] = useState<Values>({});
  const [problems, setProblems] = useState<Values>({});
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = check(values);
    setProblems(found);
    if (Object.keys(found).length === 0) void fetch("/api/pay", { method: "POST", body: JSON.stringify(values) });
  };
  return (
    <>
      <header>
        <p>{page.name}</p>
        <p>{`Table ${page.table}`}</p>
      </header>
      <main>
        <h1>{`Pay ${page.name}`}</h1>
        <p>{`$${page.amount} ${page.currency}`}</p>
        <details>
          <summary>Your order</summary>
          <ul>
            {page.order.map((line) => (
              <li className="item" key={line.name}>
                <img src={line.info.image} alt="" width="48" height="48" loading="lazy" />
                <span>{line.name}</span>
                <span>{`× ${line.order.qty}`}</span>
                <span>{`$${line.price}`}</span>
              </li>
            ))}
          </ul>
        </details>
        <p>{`Ref ${page.id}`}</p>
        <form method="post" noValidate onSubmit={submit}>
          <fieldset>
            <legend>Pay by card</legend>
            {page.fields.map(({ name, label, autocomplete, mode }) => (
              <p key={name}>
                <label htmlFor={name}>{label}</label>
                <input
                  id={name}
                  name={name}
                  autoComplete={autocomplete}
                  inputMode={mode}
                  value={values[name] ?? ""}
                  aria-invalid={problems[name] ? true : undefined}
                  onChange={(event) => setValues({ ...values, [name]: shape(name, event.target.value) })}
                />
                {problems[name] && <b>{problems[name]}</b>}
              </p>
            ))}
          </fieldset>
          <button type="submit">{`Pay $${page.amount}`}</button>
        </form>
      </main>
      <footer>
        <p>
          <a href="/privacy">Privacy policy</a>
        </p>
        <p>
          <a href="/terms">Terms</a>
        </p>
      </footer>
    </>
  );
}

const root = document.getElementById("root");
const props = document.getElementById("props")?.textContent;
if (root && props) hydrateRoot(root, <Payment {...(JSON.parse(props) as Props)} />);
