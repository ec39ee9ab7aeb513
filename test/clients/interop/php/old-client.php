<?php
// A program made for the old WSDL, in which every operation returns nothing. It is not changed for this service but for its address.
declare(strict_types=1);

$transport = getenv('TRANSPORT');
$run = getenv('RUN');
$day = getenv('DAY');
$client = new SoapClient(getenv('OLD_WSDL'), ['exceptions' => true, 'cache_wsdl' => WSDL_CACHE_NONE, 'location' => getenv('ENDPOINT'),
    'soap_version' => $transport === 'soap12' ? SOAP_1_2 : SOAP_1_1]);

function report(string $operation, string $check, bool $ok, string $detail = ''): void {
    global $transport;
    echo json_encode(compact('operation', 'transport', 'check', 'ok', 'detail')), "\n";
}

function returns(string $operation, array $values): void {
    global $client;
    try {
        $client->$operation($values);
        report($operation, 'returns', true);
    } catch (SoapFault $fault) {
        report($operation, 'returns', false, $fault->getMessage());
    }
}

$at = "{$day}T00:00:00";
$booking = ['DoctorID' => 102, 'RegistrationNumber' => $run, 'app_date' => $at, 'app_time' => $at, 'title' => 'Mrs', 'Name' => getenv('TEXT'),
    'Sex' => 'F', 'Age' => '34', 'area' => '', 'contactnumber' => '9845012345', 'email' => '', 'centerid' => 1];
returns('GetDoctor', ['centerid' => 1]);
returns('Fetch_Details', $booking);
$rows = simplexml_load_string(file_get_contents(getenv('ENDPOINT') . "/OPAppointmentdetail?doctorid=102&appdate=$day&centerid=1"));
$row = $rows->Appointments->Appointment[0];
$found = [(string) $row->Name, (string) $row->apptime, (string) $row->RegistrationNumber];
report('Fetch_Details', 'is booked', $found === [getenv('TEXT'), $at, $run], json_encode($found));
$id = (int) $row->AppointmentID;
try {
    $client->Fetch_Details(['RegistrationNumber' => "$run-2"] + $booking);
    report('Fetch_Details', 'refusal', false, 'no exception');
} catch (SoapFault $fault) {
    report('Fetch_Details', 'refusal', str_contains($fault->getMessage(), 'already booked'), $fault->getMessage());
}
returns('Appointment_Status', ['AppointmentID' => $id, 'centerid' => 1]);
returns('Appointment_Status_Updates', ['AppointmentID' => $id, 'type' => 6, 'appdate' => $at, 'apptime' => $at, 'centerid' => 1]);
returns('OPAppointmentdetail', ['doctorid' => 102, 'appdate' => $at, 'centerid' => 1]);
returns('FB_Push_Details', ['ipno' => $run, 'roomno' => '12', 'moblieno' => '', 'dept' => 'Nursing', 'needsimprovementcommit' => 'Tea']);
returns('Sent_SMS', ['Mobileno' => '9845012345', 'Message' => $run, 'tempid' => 0, 'SMSmode' => 1]);
