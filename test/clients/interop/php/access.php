<?php
// Logs in through a wsse:Security header that is made by hand, as PHP programs do: SoapClient knows no WS-Security.
// Source: php.net/manual/en/class.soapheader.php.
declare(strict_types=1);

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd';
const WSU = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd';
const PROFILE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0';
const BASE64 = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary';

$transport = getenv('TRANSPORT');
$user = getenv('TOKEN_USER');
$password = getenv('PASSWORD');

function report(string $check, bool $ok, string $detail = ''): void {
    global $transport;
    $operation = 'GetDoctor';
    echo json_encode(compact('operation', 'transport', 'check', 'ok', 'detail')), "\n";
}

function client(array $more = [], array $ssl = []): SoapClient {
    global $transport;
    $context = stream_context_create(['ssl' => ['cafile' => getenv('CA')] + $ssl]);
    return new SoapClient(getenv('WSDL'), $more + ['stream_context' => $context, 'cache_wsdl' => WSDL_CACHE_NONE, 'exceptions' => true,
        'soap_version' => $transport === 'soap12' ? SOAP_1_2 : SOAP_1_1]);
}

function header_with(string $token): SoapHeader {
    $xml = '<wsse:Security xmlns:wsse="' . WSSE . '" xmlns:wsu="' . WSU . '">' . "\n  <wsse:UsernameToken>\n    $token\n  </wsse:UsernameToken>\n</wsse:Security>";
    return new SoapHeader(WSSE, 'Security', new SoapVar($xml, XSD_ANYXML), true);
}

function text(string $user, string $password): SoapHeader {
    return header_with("<wsse:Username>$user</wsse:Username><wsse:Password Type=\"" . PROFILE . "#PasswordText\">$password</wsse:Password>");
}

function digest(string $user, string $password): SoapHeader {
    $nonce = random_bytes(16);
    $created = gmdate('Y-m-d\TH:i:s\Z');
    $digest = base64_encode(sha1($nonce . $created . $password, true));
    return header_with("<wsse:Username>$user</wsse:Username><wsse:Password Type=\"" . PROFILE . "#PasswordDigest\">$digest</wsse:Password>"
        . '<wsse:Nonce EncodingType="' . BASE64 . '">' . base64_encode($nonce) . "</wsse:Nonce><wsu:Created>$created</wsu:Created>");
}

function passes(string $check, ?SoapHeader $header, ?SoapClient $client = null): void {
    $client ??= client();
    try {
        $client->__setSoapHeaders($header);
        $count = count($client->GetDoctor(['centerid' => 1])->GetDoctorResult->Doctors->Doctor);
        report($check, $count === 10, (string) $count);
    } catch (SoapFault $fault) {
        report($check, false, $fault->getMessage());
    }
}

function is_refused(string $check, ?SoapHeader $header, string $text): void {
    $client = client();
    try {
        $client->__setSoapHeaders($header);
        $client->GetDoctor(['centerid' => 1]);
        report($check, false, 'no fault');
    } catch (SoapFault $fault) {
        report($check, str_contains($fault->getMessage(), $text), "$fault->faultcode: {$fault->getMessage()}");
    }
}

passes('token with text', text($user, $password));
passes('token with digest', digest($user, $password));
is_refused('wrong text', text($user, "{$password}x"), 'could not be authenticated');
is_refused('wrong digest', digest($user, "{$password}x"), 'could not be authenticated');
$once = digest($user, $password);
passes('a nonce', $once);
is_refused('the nonce again', $once, 'could not be authenticated');
passes('HTTP Basic', null, client(['login' => getenv('BASIC_USER'), 'password' => $password]));
passes('certificate', null, client([], ['local_cert' => getenv('CLIENT_CERT'), 'local_pk' => getenv('CLIENT_KEY')]));
is_refused('nothing', null, 'cannot identify the caller');
