package mesh

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// isData tells references that hold their data themselves.
func isData(uri string) bool {
	return len(uri) >= 5 && strings.EqualFold(uri[:5], "data:")
}

// splitDataURI takes a data URI apart; not ok if it has no data.
func splitDataURI(uri string) (body string, encoded, ok bool) {
	head, body, ok := strings.Cut(uri[len("data:"):], ",")
	if !ok {
		return "", false, false
	}
	return body, len(head) >= 7 && strings.EqualFold(head[len(head)-7:], ";base64"), true
}

// decodeDataURI gives the data of a data URI.
func decodeDataURI(place, uri string) ([]byte, error) {
	body, encoded, _ := splitDataURI(uri)
	if !encoded {
		s, err := url.PathUnescape(body)
		if err != nil {
			return nil, bad(place, "a data URI with a wrong escape", "%%20 and the like")
		}
		return []byte(s), nil
	}
	encoding := base64.StdEncoding
	if len(body)%4 != 0 {
		encoding = base64.RawStdEncoding // some programs leave the padding out
	}
	data, err := encoding.DecodeString(body)
	if err != nil {
		return nil, bad(place, "a data URI with "+err.Error(), "base64")
	}
	return data, nil
}
