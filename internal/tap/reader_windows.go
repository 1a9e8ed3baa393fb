package tap

// readerGone reports that it is not known.
func readerGone(any) (gone, open bool) { return false, false }
