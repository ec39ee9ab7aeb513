#!/usr/bin/env bash
# Calls the service with curl over all four transports; the messages are written here as a person would write them.
set -euo pipefail

# Values with markup, quotes and line ends are escaped for JSON.
json() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/\t/\\t/g' | tr '\n\r' '  '; }

# report OPERATION CHECK OK DETAIL
report() {
  printf '{"operation":"%s","transport":"%s","check":"%s","ok":%s,"detail":"%s"}\n' "$1" "$TRANSPORT" "$2" "$3" "$(json "$4")"
}

escape() { printf '%s' "$1" | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'; }

# call OPERATION NAME=VALUE ...: the answer's body in $answer, its status in $status.
call() {
  local operation=$1 pair body=''
  local -a form=()
  shift
  case $TRANSPORT in
    soap11 | soap12)
      for pair in "$@"; do body+="<${pair%%=*}>$(escape "${pair#*=}")</${pair%%=*}>"; done
      local envelope=http://schemas.xmlsoap.org/soap/envelope/
      local -a headers=(-H 'Content-Type: text/xml; charset=utf-8' -H "SOAPAction: \"http://tempuri.org/$operation\"")
      if [ "$TRANSPORT" = soap12 ]; then
        envelope=http://www.w3.org/2003/05/soap-envelope
        headers=(-H "Content-Type: application/soap+xml; charset=utf-8; action=\"http://tempuri.org/$operation\"")
      fi
      body="<s:Envelope xmlns:s=\"$envelope\"><s:Body><$operation xmlns=\"http://tempuri.org/\">$body</$operation></s:Body></s:Envelope>"
      answer=$(curl -sS -w '\n%{http_code}' "${headers[@]}" --data-binary "$body" "$ENDPOINT")
      ;;
    httpGet | httpPost)
      for pair in "$@"; do form+=(--data-urlencode "$pair"); done
      if [ "$TRANSPORT" = httpGet ]; then form+=(-G); fi
      answer=$(curl -sS -w '\n%{http_code}' "${form[@]}" "$ENDPOINT/$operation")
      ;;
  esac
  status=${answer##*$'\n'}
  answer=${answer%$'\n'*}
}

# expect OPERATION CHECK TEXT ...: every text is in the answer.
expect() {
  local operation=$1 check=$2 text
  shift 2
  for text in "$@"; do
    if [[ $answer != *"$text"* ]]; then
      report "$operation" "$check" false "no $text in $status $answer"
      return
    fi
  done
  report "$operation" "$check" true ''
}

# expect_error OPERATION CHECK RESULTCODE(0: a fault of the contract) TEXT: a fault, or the form's status and body.
expect_error() {
  local operation=$1 check=$2 code=$3 text=$4
  case $TRANSPORT-$code in
    soap*-0) expect "$operation" "$check" 'Fault>' "$text" '<ServiceFault xmlns="http://tempuri.org/"><Code>' ;;
    soap*) expect "$operation" "$check" '<Code>Refused</Code>' "<ResultCode>$code</ResultCode>" ;;
    http*-0) expect "$operation" "$check" "$text" ;;
    http*) expect "$operation" "$check" "<ResultCode>$code</ResultCode>" ;;
  esac
  local wanted='4??'
  if [[ $TRANSPORT == soap* ]]; then wanted=500; fi
  # shellcheck disable=SC2053 # a pattern
  if [[ $status == $wanted ]]; then report "$operation" "$check, status" true ''; else report "$operation" "$check, status" false "$status"; fi
}

value() { sed -nE "s/.*<$1>([^<]*)<.*/\\1/p" <<<"$answer"; }

booking() { # TIME PATIENT-PAIR ...: sets $pairs, in the contract's order
  local time=$1
  shift
  pairs=(DoctorID=102 "app_date=${DAY}T00:00:00" "app_time=${DAY}T$time:00" "$@" centerid=1)
}
full() { # TIME NUMBER
  booking "$1" "RegistrationNumber=$2" title=Mrs "Name=$TEXT" Sex=F Age=34 area=Indiranagar contactnumber=9845012345 email=asha@example.org
}

call GetDoctor centerid=1
expect GetDoctor typed '<ResultCode>0</ResultCode>' '<DoctorName>Dr. Asha Rao</DoctorName>' '<SlotMinutes>15</SlotMinutes>' '<OPDays>Mon-Sat</OPDays>'
call GetDoctor centerid=9
expect_error GetDoctor refusal 11 ''

full 00:00 "$RUN-1"
call Fetch_Details "${pairs[@]}"
expect Fetch_Details typed '<ResultCode>0</ResultCode>' '<Status>2</Status>' '<TokenNo>1</TokenNo>' "<RegistrationNumber>$RUN-1</RegistrationNumber>"
expect Fetch_Details midnight "<app_date>${DAY}T00:00:00</app_date><app_time>${DAY}T00:00:00</app_time>"
booking 23:45 Name=Ravi contactnumber=9845012346
call Fetch_Details "${pairs[@]}"
case $TRANSPORT in
  soap*) expect Fetch_Details 'missing strings' '<ResultCode>0</ResultCode>' ;;
  http*)
    expect_error Fetch_Details 'missing strings' 0 'Missing parameter: RegistrationNumber.'
    booking 23:45 RegistrationNumber= title= Name=Ravi Sex= Age= area= contactnumber=9845012346 email=
    call Fetch_Details "${pairs[@]}"
    ;;
esac
expect Fetch_Details 'before midnight' "<app_time>${DAY}T23:45:00</app_time>"
id=$(value AppointmentID)
booking 12:00 RegistrationNumber= title= Name=Ravi Sex= Age= area= contactnumber=9845012347 email=
call Fetch_Details "${pairs[@]}"
expect Fetch_Details 'empty strings' '<ResultCode>0</ResultCode>'
full 00:00 "$RUN-2"
call Fetch_Details "${pairs[@]}"
expect_error Fetch_Details refusal 14 ''

call Appointment_Status "AppointmentID=$id" centerid=1
expect Appointment_Status typed '<DoctorID>102</DoctorID>' '<Status>2</Status>' '<RescheduleCount>0</RescheduleCount>' "<apptime>${DAY}T23:45:00</apptime>"
call Appointment_Status AppointmentID=12abc centerid=1
expect_error Appointment_Status 'bad value' 0 'Parameter AppointmentID: "12abc" is not an int'

call Appointment_Status_Updates "AppointmentID=$id" type=1 "appdate=${DAY}T00:00:00" "apptime=${DAY}T23:30:00" centerid=1
expect Appointment_Status_Updates typed '<Changed>true</Changed>' '<PreviousStatus>2</PreviousStatus>' "<apptime>${DAY}T23:30:00</apptime>"
call Appointment_Status_Updates "AppointmentID=$id" type=6 appdate=0001-01-01T00:00:00 apptime=0001-01-01T00:00:00 centerid=1
expect Appointment_Status_Updates 'unset dates' '<StatusText>Cancelled</StatusText>'

call OPAppointmentdetail doctorid=102 "appdate=${DAY}T00:00:00" centerid=1
expect OPAppointmentdetail typed '<TotalCount>2</TotalCount>' "<apptime>${DAY}T00:00:00</apptime>" "<apptime>${DAY}T12:00:00</apptime>"
expect OPAppointmentdetail 'markup and Unicode' "<Name>$(escape "$TEXT")</Name>"

feedback=(roomno=12 moblieno= dept=Nursing "needsimprovementcommit=$TEXT")
call FB_Push_Details "ipno=$RUN" "${feedback[@]}"
expect FB_Push_Details typed '<ResultCode>0</ResultCode>' '<FeedbackID>' '<ReceivedOn>'
call FB_Push_Details "ipno=$RUN" "${feedback[@]}"
expect FB_Push_Details repeated '<ResultCode>1</ResultCode>'
call FB_Push_Details "ipno=$(printf 'x%.0s' {1..51})" "${feedback[@]}"
expect_error FB_Push_Details 'bad value' 0 'is too long; expected at most 50 characters'

call Sent_SMS Mobileno=9845012345 "Message=$RUN$TEXT" tempid=0 SMSmode=1
expect Sent_SMS typed '<ResultCode>0</ResultCode>' '<Mobileno>+919845012345</Mobileno>' '<Encoding>UCS-2</Encoding>' '<Segments>1</Segments>' '<Status>1</Status>'
call Sent_SMS Mobileno=12 "Message=$TEXT" tempid=0 SMSmode=1
expect_error Sent_SMS refusal 30 ''
