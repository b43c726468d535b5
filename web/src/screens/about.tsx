/** What the site is, how to use it, and what never leaves the browser. */
import { messages } from "../messages.ts";
import { kScreens } from "../route.ts";
import { Frame } from "../views/frame.tsx";
import { ScreenLink } from "../views/screen_link.tsx";
import { screenNotes, texts } from "./texts.ts";
import "./screens.css";

export function About() {
  return (
    <Frame single>
      <article class="stack card prose">
        <h1 id="headline" tabIndex={-1}>
          {messages.screens.about}
        </h1>
        {texts.aboutParts.map(({ title, text }) => (
          <section key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </section>
        ))}
        <section>
          <h2>{texts.studyTitle}</h2>
          <p>
            {texts.studyNote} <a href="#/study/coverage">{texts.studyCoverage}</a>
          </p>
        </section>
        <h2>{texts.keysTitle}</h2>
        <table class="plain keys">
          <tbody>
            {texts.keys.map(({ keys, does }) => (
              <tr key={keys}>
                <th scope="row">
                  <kbd>{keys}</kbd>
                </th>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h2>{messages.screensTitle}</h2>
        <ul class="texts">
          {kScreens.map((screen) => (
            <li key={screen}>
              <ScreenLink screen={screen}>{messages.screens[screen]}</ScreenLink>: {screenNotes[screen]}
            </li>
          ))}
        </ul>
      </article>
    </Frame>
  );
}
