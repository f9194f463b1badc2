package experiment

import "sdrsim/schemes"

// connect begins the connection of a stream whose endpoints live as long as it does.
func (w *stream) connect() {
	if w.sendConn == nil {
		return
	}
	w.sendConn.Connect(schemes.Connection{Path: w.pair.path, Control: w.pair.a})
	w.recvConn.Connect(schemes.Connection{Path: w.pair.path, Control: w.pair.b})
}
