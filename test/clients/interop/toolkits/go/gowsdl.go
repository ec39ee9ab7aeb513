package main

import (
	"errors"
	"os"

	"github.com/hooklift/gowsdl/soap"
	"toolkits/proxy"
)

func (asked call) do() (any, error) {
	options := []soap.Option{soap.WithTLS(tlsConfig())}
	var headers []any
	switch asked.LogIn {
	case "Basic":
		options = append(options, soap.WithBasicAuth(os.Getenv("BASIC_USER"), os.Getenv("PASSWORD")))
	case "API key":
		options = append(options, soap.WithHTTPHeaders(map[string]string{"X-API-Key": os.Getenv("API_KEY")}))
	case "UsernameToken":
		headers = append(headers, soap.NewWSSSecurityHeader(os.Getenv("TOKEN_USER"), os.Getenv("PASSWORD"), "", ""))
	case "UsernameToken digest":
		return nil, lacks("gowsdl has no digests")
	}
	client := soap.NewClient(endpoint, options...)
	client.SetHeaders(headers...)
	return asked.over(proxy.NewTPWebServicesSoap(client))
}

// gowsdl leaves a fault with a status of 400 or more to the program.
func bodyOf(err error) []byte {
	var refused *soap.HTTPError
	errors.As(err, &refused)
	if refused == nil {
		return nil
	}
	return refused.ResponseBody
}
