<?php
// Calls the service through PHP's SoapClient: from the WSDL, or without one (MODE=non-wsdl), where the program has to say itself
// what the WSDL would have said, or without one and with the types that PHP guesses (MODE=defaults): a text for a date, a number or a text
// for an id. Source: php.net/manual/en/class.soapclient.php.
declare(strict_types=1);

$transport = getenv('TRANSPORT');
$run = getenv('RUN');
$text = getenv('TEXT');
$day = getenv('DAY');
$defaults = getenv('MODE') === 'defaults';
$wsdl = getenv('MODE') !== 'non-wsdl' && !$defaults;
$options = ['exceptions' => true, 'trace' => true, 'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS, 'soap_version' => $transport === 'soap12' ? SOAP_1_2 : SOAP_1_1];
$client = $wsdl
    ? new SoapClient(getenv('WSDL'), $options)
    : new SoapClient(null, $options + ['location' => getenv('ENDPOINT'), 'uri' => 'http://tempuri.org/']);

function report(string $operation, string $check, ?bool $ok, string $detail = ''): void {
    global $transport;
    echo json_encode(compact('operation', 'transport', 'check', 'ok', 'detail')), "\n";
}

function expect(string $operation, string $check, mixed $actual, mixed $expected): void {
    global $wsdl;
    if (!$wsdl) $expected = texts($expected); // Without a WSDL every value is a text.
    $ok = $actual === $expected;
    report($operation, $check, $ok, $ok ? '' : json_encode($actual) . ', not ' . json_encode($expected));
}

/** Values as SoapClient gives those that it knows no type of. */
function texts(mixed $value): mixed {
    if (is_array($value)) return array_map('texts', $value);
    return is_bool($value) ? ($value ? 'true' : 'false') : (is_int($value) ? (string) $value : $value);
}

function call(string $operation, array $values): mixed {
    global $client, $wsdl, $defaults;
    if ($wsdl) {
        return $client->$operation($values)->{$operation . 'Result'};
    }
    $parameters = [];
    foreach ($values as $name => $value) {
        if ($value === null) continue;
        // A text would be marked as xsd:string, an answer's id as well.
        if (!$defaults) {
            if (str_starts_with($name, 'app')) $value = new SoapVar($value, XSD_DATETIME);
            elseif ($name === 'AppointmentID') $value = (int) $value;
        }
        $parameters[] = new SoapParam($value, "ns1:$name");
    }
    $answer = $client->__soapCall($operation, $parameters, ['soapaction' => "http://tempuri.org/$operation"]);
    return is_array($answer) ? (object) $answer : $answer;
}

function expect_fault(string $operation, string $check, array $expected, array $values): void {
    try {
        $result = call($operation, $values);
        report($operation, $check, false, 'no fault but ' . json_encode($result));
    } catch (SoapFault $fault) {
        $typed = $fault->detail->ServiceFault ?? null; // PHP gives its fields as texts.
        expect($operation, $check, [$typed->Code ?? null, $typed->ResultCode ?? null, $typed->Parameter ?? null], texts($expected));
    }
}

$booking = fn (string $time, array $patient) => ['DoctorID' => 102] + $patient
    + ['app_date' => "{$day}T00:00:00", 'app_time' => "{$day}T$time:00", 'centerid' => 1];
$full = fn (string $time, string $number) => $booking($time, ['RegistrationNumber' => $number, 'title' => 'Mrs', 'Name' => $text,
    'Sex' => 'F', 'Age' => '34', 'area' => 'Indiranagar', 'contactnumber' => '9845012345', 'email' => 'asha@example.org']);

$doctors = call('GetDoctor', ['centerid' => 1]);
$list = $doctors->Doctors->Doctor;
$asha = array_values(array_filter($list, fn ($doctor) => $doctor->DoctorID == 101))[0];
expect('GetDoctor', 'typed', [$doctors->ResultCode, $asha->DoctorName, $asha->SlotMinutes, $asha->OPDays],
    [0, 'Dr. Asha Rao', 15, 'Mon-Sat']);
report('GetDoctor', 'count', count($list) === 10, (string) count($list));
expect_fault('GetDoctor', 'refusal', ['Refused', 11, 'centerid'], ['centerid' => 9]);

$first = call('Fetch_Details', $full('00:00', "$run-1"));
expect('Fetch_Details', 'typed', [$first->ResultCode, $first->Status, $first->TokenNo, $first->RegistrationNumber], [0, 2, 1, "$run-1"]);
expect('Fetch_Details', 'midnight', [$first->app_date, $first->app_time], ["{$day}T00:00:00", "{$day}T00:00:00"]);
$second = call('Fetch_Details', $booking('23:45', ['Name' => 'Ravi', 'contactnumber' => '9845012346']));
expect('Fetch_Details', 'missing strings', [$second->ResultCode, $second->app_time], [0, "{$day}T23:45:00"]);
$empty = array_fill_keys(['RegistrationNumber', 'title', 'Sex', 'Age', 'area', 'email'], '');
$third = call('Fetch_Details', $booking('12:00', ['Name' => 'Ravi', 'contactnumber' => '9845012347'] + $empty));
expect('Fetch_Details', 'empty strings', $third->ResultCode, 0);
$nulls = array_fill_keys(['RegistrationNumber', 'title', 'Sex', 'Age', 'area', 'email'], null);
$again = call('Fetch_Details', $booking('12:00', ['Name' => 'Ravi', 'contactnumber' => '9845012347'] + $nulls));
expect('Fetch_Details', 'null strings', [$again->ResultCode, $again->AppointmentID], [1, $third->AppointmentID]);
expect_fault('Fetch_Details', 'refusal', ['Refused', 14, null], $full('00:00', "$run-2"));
expect_fault('Fetch_Details', 'bad value', ['InvalidValue', null, 'app_date'], ['app_date' => '31/12/2026'] + $full('00:00', "$run-2"));

$state = call('Appointment_Status', ['AppointmentID' => $second->AppointmentID, 'centerid' => 1]);
expect('Appointment_Status', 'typed', [$state->DoctorID, $state->Status, $state->RescheduleCount, $state->apptime],
    [102, 2, 0, "{$day}T23:45:00"]);
expect_fault('Appointment_Status', 'refusal', ['Refused', 20, 'AppointmentID'], ['AppointmentID' => 999999, 'centerid' => 1]);

$move = ['AppointmentID' => $second->AppointmentID, 'type' => 1, 'appdate' => "{$day}T00:00:00", 'apptime' => "{$day}T23:30:00", 'centerid' => 1];
$change = call('Appointment_Status_Updates', $move);
expect('Appointment_Status_Updates', 'typed', [$change->Changed, $change->PreviousStatus, $change->apptime], [true, 2, "{$day}T23:30:00"]);
$unset = '0001-01-01T00:00:00';
$change = call('Appointment_Status_Updates', ['type' => 6, 'appdate' => $unset, 'apptime' => $unset] + $move);
expect('Appointment_Status_Updates', 'unset dates', [$change->Changed, $change->Status, $change->StatusText], [true, 6, 'Cancelled']);

$listed = call('OPAppointmentdetail', ['doctorid' => 102, 'appdate' => "{$day}T00:00:00", 'centerid' => 1]);
$rows = $listed->Appointments->Appointment;
expect('OPAppointmentdetail', 'typed', [$listed->TotalCount, $rows[0]->apptime, $rows[1]->apptime, $rows[1]->Status],
    [2, "{$day}T00:00:00", "{$day}T12:00:00", 2]);
expect('OPAppointmentdetail', 'markup and Unicode', $rows[0]->Name, $text);
expect('OPAppointmentdetail', 'empty strings', [$rows[1]->Sex, $rows[1]->area ?? null], ['U', null]);

$feedback = ['ipno' => $run, 'roomno' => '12', 'moblieno' => '', 'dept' => 'Nursing', 'needsimprovementcommit' => $text];
$receipt = call('FB_Push_Details', $feedback);
expect('FB_Push_Details', 'typed', $receipt->ResultCode, 0);
report('FB_Push_Details', 'typed date', preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/', $receipt->ReceivedOn) === 1, $receipt->ReceivedOn);
$again = call('FB_Push_Details', $feedback);
expect('FB_Push_Details', 'repeated', [$again->ResultCode, $again->FeedbackID], [1, $receipt->FeedbackID]);
expect_fault('FB_Push_Details', 'bad value', ['InvalidValue', null, 'ipno'], ['ipno' => str_repeat('x', 51)] + $feedback);

$message = call('Sent_SMS', ['Mobileno' => '9845012345', 'Message' => $run . $text, 'tempid' => 0, 'SMSmode' => 1]);
expect('Sent_SMS', 'typed', [$message->ResultCode, $message->Mobileno, $message->Encoding, $message->Segments, $message->Status],
    [0, '+919845012345', 'UCS-2', 1, 1]);
expect_fault('Sent_SMS', 'refusal', ['Refused', 30, 'Mobileno'], ['Mobileno' => '12', 'Message' => $text, 'tempid' => 0, 'SMSmode' => 1]);
