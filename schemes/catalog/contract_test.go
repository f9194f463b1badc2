package catalog

import (
	"fmt"
	"testing"

	"sdrsim/schemes"
	"sdrsim/schemes/schemestest"
	"sdrsim/units"
)

// Every scheme keeps the contract that hosts rely on: with its defaults, with each word that a
// parameter may be, and where what costs nothing by default takes time.
func TestSchemesKeepTheContract(t *testing.T) {
	for _, e := range Entries() {
		for name, v := range variants(t, e) {
			t.Run(e.Name+name, func(t *testing.T) {
				f, err := Build(e.Name, v)
				if err != nil {
					t.Fatal(err)
				}
				schemestest.Run(t, schemestest.Scheme{
					NewSender:   f.NewSender,
					NewReceiver: f.NewReceiver,
				})
			})
		}
	}
}

// variants are values of the parameters of a scheme, by what is special about them.
func variants(t *testing.T, e Entry) map[string]schemes.Values {
	const slow = 4e9 // bit/s: as long as the packets of the kit take
	all := map[string]schemes.Values{"": defaults(t, e)}
	for _, p := range e.Params {
		for _, word := range p.Choices {
			v := defaults(t, e)
			v[p.Name] = schemes.Value{Given: true, Word: word}
			all[fmt.Sprintf(", %s %s", p.Name, word)] = v
		}
		if p.Name == "nack.reorder" { // some packets of the kit
			v := defaults(t, e)
			v[p.Name] = schemes.Value{Given: true, Span: units.Span{Fixed: 7 * units.Microsecond}}
			all[", a window"] = v
		}
		if p.Kind == schemes.KindRate {
			v := defaults(t, e)
			v[p.Name] = schemes.Value{Given: true, Number: slow}
			all[fmt.Sprintf(", %s %g", p.Name, slow)] = v
		}
	}
	return all
}
