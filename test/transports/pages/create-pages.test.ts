import { expect } from 'chai';
import { createPages } from '../../../src/transports/pages/create-pages.ts';
import { ownContract } from '../../contract/own-wsdl.ts';
import { TEST_NOW } from '../../support/process/start-service.ts';
import { ENDPOINT } from './own-pages.ts';

const WEEK = 7 * 86_400_000;

function pagesAt(clock: { now: number }) {
  return createPages({
    contract: ownContract,
    clock: () => clock.now,
    timeZone: 'Asia/Kolkata',
    refusals: 'fault',
    secured: false,
    httpGet: true,
    httpPost: true,
  });
}

describe('The cached pages', () => {
  it("A page is rendered once a week, with that week's examples.", () => {
    const clock = { now: TEST_NOW };
    const pageOf = pagesAt(clock);
    const first = pageOf(ENDPOINT, 'Fetch_Details');
    expect(first.html.toString()).to.include('value="2026-11-23"');
    clock.now += 3_600_000;
    expect(pageOf(ENDPOINT, 'Fetch_Details')).to.equal(first);
    clock.now += WEEK;
    expect(pageOf(ENDPOINT, 'Fetch_Details').html.toString()).to.include('value="2026-11-30"');
  });

  it('Each address has its own pages, however many addresses there are.', () => {
    const pageOf = pagesAt({ now: TEST_NOW });
    for (let port = 1; port <= 300; port++) {
      expect(pageOf(`http://localhost:${port}/TPWebServices.asmx`).html.toString()).to.include(
        `http://localhost:${port}/`,
      );
    }
  });

  it('Behind a proxy that adds a path prefix, links and the form use the prefix.', () => {
    const pageOf = pagesAt({ now: TEST_NOW });
    const endpoint = 'https://his.example.org/his/TPWebServices.asmx';
    expect(pageOf(endpoint, 'GetDoctor').html.toString())
      .to.include('action="/his/TPWebServices.asmx/GetDoctor"')
      .and.include('href="/his/TPWebServices.asmx"');
    expect(pageOf(endpoint).html.toString()).to.include('href="/his/openapi.json"');
  });
});
