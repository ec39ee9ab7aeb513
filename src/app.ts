import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { ServiceError } from './errors.ts';
import type { Log } from './log.ts';
import type { Invoke } from './operations/invoke.ts';
import { answer, TEXT } from './transports/answer.ts';
import { answerTextFault } from './transports/answer-text-fault.ts';
import type { NewCorrelationId } from './transports/correlation-id.ts';
import { EVERY_ANSWER } from './transports/every-answer.ts';
import { faultOf } from './transports/faults.ts';
import { createHttpForms } from './transports/http-forms.ts';
import { createMetadata, type MetadataDependencies } from './transports/pages/metadata.ts';
import { createOpenApi, OPENAPI_PATH } from './transports/pages/openapi.ts';
import { reportFault } from './transports/report-fault.ts';
import { createSoapDoor } from './transports/soap/soap-door.ts';

export interface AppDependencies extends MetadataDependencies {
  readonly invoke: Invoke;
  readonly log: Log;
  readonly newCorrelationId: NewCorrelationId;
}

/** The Express app with every door mounted; it doesn't listen. */
export async function createApp(dependencies: AppDependencies): Promise<Express> {
  const { contract } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use(everyAnswer);
  app.all('/', only('GET'), redirectTo(pathOf(dependencies.publicUrl) + contract.path));
  app.all(contract.path, byMethod({ GET: createMetadata(dependencies), POST: await createSoapDoor(dependencies) }));
  app.all(OPENAPI_PATH, byMethod({ GET: createOpenApi(dependencies) }));
  const forms = createHttpForms(dependencies);
  app.all(`${contract.path}/:operation`, byMethod({ GET: forms, POST: forms }));
  app.use((request, _response, next) => {
    next(new ServiceError('NotFound', `There is nothing here; the service is at ${contract.path}.`));
    request.resume();
  });
  app.use(answerError(dependencies));
  return app;
}

const EVERY_ANSWER_HEADERS = new Map(Object.entries(EVERY_ANSWER));

const everyAnswer: RequestHandler = (_request, response, next) => {
  response.setHeaders(EVERY_ANSWER_HEADERS);
  next();
};

/** Where a proxy has put the service, without a slash at its end. */
const pathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

const redirectTo =
  (path: string): RequestHandler =>
  (_request, response) => {
    answer(response, 302, TEXT, `The service is at ${path}.`, { Location: path });
  };

/** One handler a method; any other method is answered 405 with Allow, HEAD too, since it would run an operation unseen. */
function byMethod(handlers: Readonly<Record<string, RequestHandler>>): RequestHandler {
  const byName = new Map(Object.entries(handlers));
  const allow = [...byName.keys()].join(', ');
  return (request, response, next) => {
    const handler = byName.get(request.method);
    if (handler !== undefined) return handler(request, response, next);
    response.setHeader('Allow', allow);
    next(new ServiceError('MethodNotAllowed', `${request.method} is not allowed here; allowed are ${allow}.`));
  };
}

const only = (method: string): RequestHandler => byMethod({ [method]: (_request, _response, next) => next() });

/** What no door answered: an unknown address, a method that isn't allowed, a host that isn't ours, or our own mistake. */
const answerError =
  ({ log, newCorrelationId }: AppDependencies): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const fault = faultOf(error, newCorrelationId());
    reportFault(log, error, fault, 'http');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    answerTextFault(response, fault);
  };
