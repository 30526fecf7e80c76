// Signs cases with the functions of main.go; cases.ts describes its input and output. Programs of
// one mode have only its functions: runtimes.ts removes each line with the other mode at its end.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"
)

func encoded(text string) string {
	return base64.StdEncoding.EncodeToString([]byte(text))
}

func signed(body, key, secret, lines string) (string, error) {
	given := map[string]string{}
	for _, line := range strings.Split(lines, "\n") {
		if name, value, found := strings.Cut(line, ": "); found {
			given[name] = value
		}
	}
	jsonText, err := signBody(body, key, secret)                  // body
	return encoded(jsonText), err                                 // body
	headers, jsonText, err := signHeaders(body, given, key, secret) // header
	var sent []string                                             // header
	for name, value := range headers {                            // header
		sent = append(sent, name+": "+value) // header
	} // header
	return encoded(jsonText) + "\t" + encoded(strings.Join(sent, "\n")), err // header
}

// Without a mode, it runs the program: linking a second executable takes longer than all cases.
func TestMain(*testing.M) {
	if len(os.Args) == 1 {
		main()
		return
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	for input.Scan() {
		fields := strings.Split(input.Text(), "\t")
		for i, field := range fields {
			text, _ := base64.StdEncoding.DecodeString(field)
			fields[i] = string(text)
		}
		line, err := signed(fields[0], fields[1], fields[2], fields[3])
		if err != nil {
			line = "error\t" + encoded(err.Error())
		}
		fmt.Println(line)
	}
}
