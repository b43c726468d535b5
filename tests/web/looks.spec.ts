/** Every screen and state of the pictures in their three looks: no text is cut, spills over, lies on other text or is an identifier. */
import { type Browser, expect, type Page, test } from "../../web/playwright.ts";
import { kPictures, looks, type Picture, reach, showIn } from "../../web/scripts/pictures.ts";
import { unreadableOn } from "../../web/scripts/unreadable.ts";

/** What cannot be read on a picture, by look. */
async function faultsOf(page: Page, picture: Picture): Promise<string[]> {
  await reach(page, picture);
  const faults: string[] = [];
  for (const look of looks) {
    await showIn(page, look);
    for (const fault of await unreadableOn(page)) faults.push(`${picture.name}, ${look}: ${fault}`);
  }
  return faults;
}

/** The pictures of one page, which goes from one to the next. */
async function walk(browser: Browser, baseURL: string | undefined, pictures: readonly Picture[]): Promise<string[]> {
  const [{ locale, offline } = { locale: undefined, offline: undefined }] = pictures;
  const context = await browser.newContext({ baseURL, locale, serviceWorkers: offline ? "allow" : "block" });
  const page = await context.newPage();
  const faults: string[] = [];
  for (const picture of pictures) faults.push(...(await faultsOf(page, picture)));
  await context.close();
  return faults;
}

const isPlain = ({ act, before, locale }: Picture) => act === undefined && before === undefined && locale === undefined;
const plain = kPictures.filter(isPlain);
const kOfOnePage = 9;

for (let i = 0; i < plain.length; i += kOfOnePage) {
  const some = plain.slice(i, i + kOfOnePage);
  test(`readable: ${some.map(({ name }) => name).join("; ")}`, async ({ browser, baseURL }) => {
    expect(await walk(browser, baseURL, some)).toEqual([]);
  });
}

for (const picture of kPictures.filter((one) => !isPlain(one))) {
  test(`readable: ${picture.name}`, async ({ browser, baseURL }) => {
    expect(await walk(browser, baseURL, [picture])).toEqual([]);
  });
}
