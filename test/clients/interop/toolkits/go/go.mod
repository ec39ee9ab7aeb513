module toolkits

go 1.24

require (
	github.com/fiorix/wsdl2go v1.4.7
	github.com/hooklift/gowsdl v0.5.0
	github.com/tiaguinho/gosoap v1.4.4
)

require golang.org/x/net v0.0.0-20191209160850-c0dbc17a3553 // indirect

require golang.org/x/text v0.3.2 // indirect
