import { STATUS_CODES } from 'node:http';
import { TEXT } from '../answer.ts';
import { indentXml } from './indent-xml.ts';

/** Head and body, with the length of the body as it is shown here. */
export const message = (head: readonly string[], body: string): string =>
  `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\n')}\n\n${body}`;

export const xmlMessage = (status: number, contentType: string, xml: string): string =>
  message([statusLine(status), `Content-Type: ${contentType}`], indentXml(xml));

export const textMessage = (status: number, text: string): string =>
  message([statusLine(status), `Content-Type: ${TEXT}`], text);

export const xmlDocument = (element: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${element}`;

const statusLine = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
