package pace

import (
	"fmt"
	"strconv"
	"strings"
)

// forms says how the lines of a workload may look.
const forms = "want lines second,model,count such as 1,yolo_v5,10, or due,model such as 0.25,yolo_v5, or due alone"

// form is what the lines of a workload hold. Its value is how many fields.
type form int

const (
	nameless form = 1 // due
	dues     form = 2 // due,model
	counts   form = 3 // second,model,count
)

var headers = map[string]form{"due": nameless, "due,model": dues, "second,model,count": counts}

// parseForm takes the form of a file from its first line, and says whether
// that line did no more than name the fields.
func parseForm(fields []string) (f form, header bool, err error) {
	f, header = headers[strings.ToLower(strings.Join(fields, ","))]
	if header {
		return f, true, nil
	}
	if _, err := strconv.ParseFloat(fields[0], 64); err != nil || len(fields) > int(counts) {
		return 0, false, fmt.Errorf("%q: %s", Brief(strings.Join(fields, ",")), forms)
	}
	f = form(len(fields))
	if f == dues {
		if _, err := strconv.ParseFloat(fields[1], 64); err == nil {
			return 0, false, fmt.Errorf("is %q a model? counts need one: second,model,count; "+
				"for a model of that name begin the file with the line due,model", Brief(fields[1]))
		}
	}
	return f, false, nil
}
