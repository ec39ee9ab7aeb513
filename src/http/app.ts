import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Transport } from '../contract/contract.ts';
import { answer, answerFault, type PageOf, TEXT } from '../transports/answer.ts';
import { cors } from '../transports/cors.ts';
import { Exchange, type Serve } from '../transports/exchange.ts';
import { createHttpForms, type FormDependencies } from '../transports/forms/http-forms.ts';
import { createMetadata, type MetadataDependencies } from '../transports/pages/metadata.ts';
import { OPENAPI_PATH } from '../transports/pages/openapi.ts';
import { messagePage } from '../transports/pages/service-page.ts';
import { createSmsStatus, SMS_STATUS_PATH, type SmsStatusDependencies } from '../transports/sms-status.ts';
import { type SoapDependencies, SoapEndpoint } from '../transports/soap/soap-endpoint.ts';
import { ServiceError } from '../vocabulary/errors.ts';
import { oneOf } from '../vocabulary/text.ts';
import { belowPath, publicPathOf } from './public-path.ts';
import type { Refuse } from './unusual-requests.ts';

/**
 * Where a supervisor checks whether the process is alive. Such a request is never refused, because the supervisor would then restart the
 * process.
 */
export const HEALTH_PATH = '/healthz';

export interface AppDependencies extends SoapDependencies, FormDependencies, Omit<MetadataDependencies, 'gate'> {
  /** Whether WSDL, pages and OpenAPI are only for known clients. */
  readonly protectMetadata: boolean;
  /** The pages requested by the machines of operators, by path. */
  readonly operatingPages: ReadonlyMap<string, RequestHandler>;
  /** Undefined means that no status callbacks are accepted. */
  readonly smsStatus: SmsStatusDependencies | undefined;
}

/** The Express app with every endpoint mounted; it does not listen. */
export async function createApp(dependencies: AppDependencies): Promise<Express> {
  const { contract, corsOrigins, transports, protectMetadata } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const publicPath = publicPathOf(dependencies.publicUrl);
  const home = publicPath + contract.path;
  const pageOf: PageOf = (title, sentence) => messagePage(title, sentence, home);

  /** The only exit for what a handler throws, except over SOAP. */
  function answerFailed(exchange: Exchange, error: unknown, headers: Headers = {}): void {
    const { request, response } = exchange;
    const fault = exchange.failed(error);
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) answerFault(request, response, fault, pageOf, headers);
  }
  const served =
    (serve: Serve, transport?: Transport, headers?: Headers): RequestHandler =>
    async (request) => {
      const exchange = new Exchange(dependencies, request, transport);
      try {
        await serve(exchange);
      } catch (error) {
        answerFailed(exchange, error, headers);
      }
    };
  /** Counts requests that need no login, so that a flood of them is refused like a flood of calls. */
  const counted = (serve: Serve): RequestHandler =>
    served((exchange) => {
      exchange.count();
      return serve(exchange);
    });
  /** Protects a page from strangers, if that is configured, and from anyone who requests it too often. */
  const guarded = (serve: Serve): RequestHandler =>
    served(async (exchange) => {
      await (protectMetadata ? exchange.admit() : exchange.count());
      return serve(exchange);
    });
  const byMethod = (handlers: Handlers) => handlerByMethod(handlers, counted);
  const crossOrigin = (handlers: Handlers) => cors(corsOrigins, Object.keys(handlers), counted)(byMethod(handlers));

  // In the order in which Express tries them, calls first. There is one layer per path, whereas `app.all` would create one per HTTP method.
  const documents = createMetadata(dependencies);
  const [metadata, openApi] = [guarded(documents.metadata), guarded(documents.openApi)];
  const soap = new SoapEndpoint(dependencies);
  app
    .route(contract.path)
    .all(crossOrigin({ ...reading(metadata), POST: (request, _response, next) => soap.receive(request, next) }));
  await soap.listen(app);
  const vary = { Vary: corsOrigins.length === 0 ? 'Accept' : 'Accept, Origin' };
  const form = createHttpForms(dependencies, vary);
  const get = transports.includes('httpGet') && { GET: served(form, 'httpGet', vary) };
  const post = transports.includes('httpPost') && { POST: served(form, 'httpPost', vary) };
  // HEAD would run an operation that changes something without showing its result.
  const [safeForms, forms] = [crossOrigin({ ...(get && reading(get.GET)), ...post }), crossOrigin({ ...get, ...post })];
  const safe = new Set(contract.operations.flatMap((operation) => (operation.safe ? operation.name : [])));
  const callForm: RequestHandler<{ readonly operation: string }> = (request, response, next) =>
    (safe.has(request.params.operation) ? safeForms : forms)(request, response, next);
  if (get || post) app.route(`${contract.path}/:operation`).all(callForm);
  const root = counted(({ response }) => answer(response, 302, TEXT, `The service is at ${home}.`, { Location: home }));
  app.route('/').all(byMethod(reading(root)));
  app.route(OPENAPI_PATH).all(crossOrigin(reading(openApi)));
  for (const [path, page] of dependencies.operatingPages) {
    const serve: Serve = ({ request, response }) => page(request, response, () => {});
    app.route(path).all(path === HEALTH_PATH ? page : counted(serve));
  }
  if (dependencies.smsStatus !== undefined) {
    const both = (serve: Serve) => byMethod({ ...reading(counted(serve)), POST: counted(serve) });
    app.route(SMS_STATUS_PATH).all(createSmsStatus(dependencies.smsStatus, both, dependencies.log));
  }
  app.use(belowPath(publicPath, app));
  app.use(
    counted(() => {
      throw new ServiceError('NotFound', `There is nothing here; the service is at ${contract.path}.`);
    }),
  );
  // What Express itself cannot read, such as an address.
  const answerError: ErrorRequestHandler = (error, request, response, next) =>
    counted(() => {
      throw error;
    })(request, response, next);
  app.use(answerError);
  return app;
}

type Headers = Readonly<Record<string, string>>;

/** By the names of methods. */
type Handlers = Readonly<Record<string, RequestHandler>>;

const reading = (handler: RequestHandler): Handlers => ({ GET: handler, HEAD: handler });

/** One handler per method. Any other method is counted and answered with 405 and Allow. */
function handlerByMethod(handlers: Handlers, counted: (serve: Serve) => RequestHandler): RequestHandler {
  const byName = new Map(Object.entries(handlers));
  const names = [...byName.keys()];
  const refuse = counted(({ request: { method }, response }) => {
    response.setHeader('Allow', names.join(', '));
    throw new ServiceError('MethodNotAllowed', `${method} is not allowed here; expected ${oneOf(names)}.`);
  });
  return (request, response, next) => (byName.get(request.method) ?? refuse)(request, response, next);
}

/** Counts and logs the requests that the server refuses by itself. */
export const createRefuse =
  (dependencies: AppDependencies): Refuse =>
  (request, error) => {
    const exchange = new Exchange(dependencies, request);
    try {
      exchange.count();
    } catch (tooMany) {
      return exchange.failed(tooMany);
    }
    return exchange.failed(error);
  };
