import { readFileSync } from "node:fs";
import { expect, test } from "../../web/playwright.ts";

/** What the browser hands over when a button of a chart is pressed. */
test("a chart is kept as a drawing, a picture and a table", async ({ page, context }) => {
  await page.goto("./");
  const chart = page.locator("figure.pareto");
  await expect(chart.locator("svg.chart")).toBeVisible();
  const kept = async (form: string) => {
    const waiting = page.waitForEvent("download");
    await chart.getByRole("button", { name: form, exact: true }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^podwright-[a-z0-9-]+\\.${form.toLowerCase()}$`));
    return readFileSync(await download.path());
  };

  const svg = (await kept("SVG")).toString("utf8");
  const title = (await chart.getByRole("heading").textContent()) ?? "";
  expect(svg).toContain(title);
  // A file of its own: no class, no style sheet, nothing of the page's colours by name.
  expect(svg).not.toMatch(/class=|style=|var\(--/);
  const elsewhere = await context.newPage();
  const marks = await elsewhere.evaluate((text) => {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml");
    const bad = drawing.querySelector("parsererror");
    return bad === null ? drawing.querySelectorAll("path").length : -1;
  }, svg);
  // What stands below the chart on the page, the marks of the names, stands in the drawing.
  expect(marks).toBe(await chart.locator("svg.chart path, .legend path").count());

  const png = await kept("PNG");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const box = await chart.locator("svg.chart").boundingBox();
  // At twice the size on the page.
  expect(png.readUInt32BE(16)).toBeGreaterThan(1.9 * (box?.width ?? 0));

  const csv = (await kept("CSV")).toString("utf8").trim().split("\r\n");
  const rows = await chart.locator("table tr").count();
  expect(csv.length).toBe(rows);
  const first = await chart.locator("table tbody tr").first().locator("th, td").allTextContents();
  expect(csv[1]).toBe(first.map((text) => `"${text.trim()}"`).join(","));
});
