package main

import (
	"errors"
	"net/http"
	"os"

	"github.com/fiorix/wsdl2go/soap"
	"toolkits/proxy"
)

func (asked call) do() (any, error) {
	client := &soap.Client{URL: endpoint, Namespace: namespace, Envelope: "http://www.w3.org/2003/05/soap-envelope"}
	client.Config = &http.Client{Transport: transport(func(request *http.Request) {
		switch asked.LogIn {
		case "Basic":
			request.SetBasicAuth(os.Getenv("BASIC_USER"), os.Getenv("PASSWORD"))
		case "API key":
			request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
		}
	})}
	if asked.LogIn == "UsernameToken" || asked.LogIn == "UsernameToken digest" {
		return nil, lacks("wsdl2go has no UsernameToken")
	}
	return asked.over(proxy.NewTPWebServicesSoap(client))
}

// wsdl2go leaves faults to the program.
func bodyOf(err error) []byte {
	var refused *soap.HTTPError
	errors.As(err, &refused)
	if refused == nil {
		return nil
	}
	return []byte(refused.Msg)
}
