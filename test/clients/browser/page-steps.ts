import type { Page } from 'puppeteer-core';

/** The button that calls, and the sentence that answers. */
export const CALL = 'button.call';
export const OUTCOME = '#outcome strong';

export const inputValue = async (page: Page, selector: string): Promise<string> =>
  String(await page.evaluate(`document.querySelector('${selector}').value`));

export const textOf = async (page: Page, selector: string): Promise<string> =>
  String(await page.evaluate(`document.querySelector('${selector}').textContent`));

export const fill = (page: Page, selector: string, value: string): Promise<void> => page.locator(selector).fill(value);

export const isInSight = async (page: Page, selector: string): Promise<boolean> => {
  const box = await (await page.$(selector))?.boundingBox();
  const height = page.viewport()?.height ?? 0;
  return box != null && box.y >= 0 && box.y + box.height <= height;
};

export const focused = async (page: Page): Promise<string> =>
  String(await page.evaluate('document.activeElement.name || document.activeElement.textContent'));

/** Presses Tab until the element with that name or text has the focus. */
export async function tabTo(page: Page, target: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === target) return;
  }
  throw new Error(`${target} is not reached by keyboard.`);
}
