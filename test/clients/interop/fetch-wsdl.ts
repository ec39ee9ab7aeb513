// node fetch-wsdl.ts: prints the WSDL at the address in WSDL, without the parameters that came after the service was replaced.
import { withoutLaterParameters } from '../../wire/contract/old-wsdl.ts';

process.stdout.write(withoutLaterParameters(await (await fetch(process.env.WSDL ?? '')).text()));
