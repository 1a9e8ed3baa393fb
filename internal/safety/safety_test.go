package safety

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func tool(name, description, annotations string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"name":%q,"description":%q,"annotations":{%s}}`, name, description,
		annotations))
}

const readOnly = `"readOnlyHint":true`

func TestLiesAreNotCalled(t *testing.T) {
	for _, lie := range [][2]string{
		{"delete_order", "Deletes an order for good"}, {"deleteOrder", ""}, {"orders.delete", ""},
		{"shop_order_remove", ""}, {"DROP-table", ""},
		{"send_mail", "Sends mail"}, {"send_report", ""}, {"delete_report", ""}, {"pay", ""}, {"buy_stock", ""},
		{"transferFunds", ""}, {"publish_post", ""},
		{"orders", "Deletes an order for good."}, {"orders", "Permanently delete an order."},
		{"orders", "This tool will remove an order"},
		{"orders", "Looks an order up and deletes it."}, {"notify", "Sends a message to a user."},
		{"x", "Use this tool to send mail"},
		{"format_disk", ""}, {"formatUsbDrive", ""}, {"email_customer", ""},
		{"preview.delete_draft", "Delete a draft"}, {"forecast_delete", ""}, {"refund_order", ""}, {"pay_invoice", ""},
		{"sui-transfer", "Transfer SUI to an address"}, {"shop_item_send", ""},
		{"remove_item", "Removes an item from a list"}, {"list", "Removes an item from a list"}, {"remove_user", ""},
		{"clean", "Removes a text"}, {"delete_duplicates", ""}, {"remove_number", ""},
		{"y", "Drops a table."}, {"z", "Wipes the disk"}, {"w", "Publishes a post\nand more"},
	} {
		raw := tool(lie[0], lie[1], readOnly)
		if Contradiction(raw)+Doubt(raw) == "" || Of(raw).Calls != 0 {
			t.Errorf("%q, %q: %+v; want it reported and not called", lie[0], lie[1], Of(raw))
		}
		if of := Contradiction(raw); (of == "") != (lie[1] == "" || lie[0] == "preview.delete_draft" || lie[0] == "sui-transfer") {
			t.Errorf("%q, %q: %q; want a contradiction only in a description", lie[0], lie[1], of)
		}
	}
}

func TestReadersAreCalled(t *testing.T) {
	for _, fine := range [][2]string{
		{"get_merge_request", "Gets a merge request"}, {"list_deleted_orders", "Lists orders that were deleted"},
		{"transfer_status", "The state of a transfer"},
		{"deployPlan", "Plans what deploy would do"}, {"search", "Search the web. Does not send anything."},
		{"payment_list", "Lists payments"},
		{"find_and_replace_preview", "Shows what would be replaced"}, {"echo", "Returns its input"},
		{"get_send_limits", "How much you can send"}, {"formatted", "Format of the date"}, {"charge_history", ""},
		{"send_request", "Sends a GET request"}, {"log", "Sends one log message of the given level."},
		{"divide", "Divides two numbers and drops the fraction."}, {"add", "Adds two numbers."},
		{"format_label", "Returns the label of a book"}, {"formatCurrency", ""}, {"text_format", ""},
		{"quote_transfer", "Quote a transfer including our fee"}, {"quoteRefund", ""}, {"forecast_charge", ""},
		{"last_deploy", "The last deployment"}, {"shop_last_refund", ""}, {"last_update", ""}, {"get_latest_archive", ""},
		{"what_drop", ""}, {"transfer_cost", ""}, {"deployTime", ""}, {"refund_eligibility", ""}, {"pay_rates", ""},
		{"remove_duplicates", "Removes duplicates and keeps the order"}, {"strip_accents", "Remove everything that is not ASCII from a text"},
		{"replace_word", "Replaces a word in a text"}, {"write_number", "Writes a number in words"}, {"insertCommas", ""},
		{"text_drop_punctuation", ""},
		{"email_lookup", "Finds who has an address"}, {"email_validate", ""},
	} {
		if got := Of(tool(fine[0], fine[1], readOnly)); got.Calls != Unlimited {
			t.Errorf("%q, %q: %+v; want it called", fine[0], fine[1], got)
		}
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		raw   json.RawMessage
		calls int
	}{
		{tool("get", "", ""), 0},
		{tool("get", "", `"readOnlyHint":false`), 0},
		{tool("get", "", `"readOnlyHint":"true"`), 0},
		{tool("get", "", readOnly+`,"destructiveHint":true`), 0},
		{tool("create_chart", "Creates a chart", readOnly), 0},
		{tool("replace_symbol", "", readOnly), 0},
		{tool("notes", "Updates a note.", readOnly), 0},
		{tool("buffer", "Creates a buffer zone.", readOnly), Unlimited},
		{tool("get_notes", "Update history of notes.", readOnly), Unlimited},
		{tool("search", "", readOnly+`,"openWorldHint":true`), OpenWorldCalls},
		{tool("search", "", readOnly+`,"openWorldHint":false`), Unlimited},
		{json.RawMessage(`[]`), 0},
	} {
		if got := Of(c.raw); got.Calls != c.calls || (got.Why == "") != (c.calls == Unlimited) {
			t.Errorf("Of(%s) = %+v; want %d calls", c.raw, got, c.calls)
		}
	}
	if lie := Contradiction(tool("create_chart", "Creates a chart", readOnly)); lie != "" {
		t.Errorf("a tool that creates a chart: %s; want a doubt and no lie", lie)
	}
	for _, doubtful := range []string{"bank_transfer", "write_note", "insert_word", "replace_document", "initiate_refund", "project_deploy", "start-email-campaign",
		"forecast_update"} {
		raw := tool(doubtful, "", readOnly)
		if lie, doubt := Contradiction(raw), Doubt(raw); lie != "" || doubt == "" || Of(raw).Calls != 0 {
			t.Errorf("%s: lie %q, doubt %q; want a doubt and no lie, and no calls", doubtful, lie, doubt)
		}
	}
	if lie := Contradiction(tool("delete", "", "")); lie != "" {
		t.Errorf("a tool without the hint: %s; want no lie", lie)
	}
}

// A name alone is no proof, and a description may say that nothing happens. Such a tool is not called, but not reported either.
func TestNamesProveNothing(t *testing.T) {
	for _, c := range []struct{ name, description, arguments string }{
		{"delete_preview", "Show which files a clean-up would delete; deletes nothing itself.", "days"},
		{"send_check", "Check whether a message could be sent. Sends nothing.", "text"},
		{"remove_user_dry_run", "Delete a user, as a dry run.", "user"},
		{"format_query", "Write the keywords of a statement in capitals. Executes nothing.", "statement"},
		{"order_cancel_fee", "Calculate the fee of a cancellation.", "order"},
		{"truncate", "Cut a text to a number of characters.", "text length"},
		{"shorten", "Truncate a text to a number of characters.", "text length"},
		{"greeting", "Replace {{name}} in a template by the name.", "template name"},
		{"transfer", "Transfer times between two stations.", "from to"},
	} {
		if why := Contradiction(withArguments(c.name, c.description, c.arguments)); why != "" {
			t.Errorf("%s: %s; expected no contradiction", c.name, why)
		}
		if why := Doubt(withArguments(c.name, c.description, c.arguments)); why != "" && c.name != "transfer" {
			t.Errorf("%s: %s; expected no doubt", c.name, why)
		}
	}
	for _, c := range []struct{ name, description, arguments string }{
		{"truncate", "Truncate a table.", "table"},
		{"truncate", "Truncate the text of a note.", "text length"},
		{"cut", "Truncates a text and deletes the rest of the file.", "text length"},
		{"clear", "Deletes all orders. Asks for nothing.", ""},
	} {
		if raw := withArguments(c.name, c.description, c.arguments); Contradiction(raw) == "" || Of(raw).Calls != 0 {
			t.Errorf("%s, %s: %+v; expected a contradiction", c.name, c.description, Of(raw))
		}
	}
}

// withArguments is a read-only tool whose arguments have these names.
func withArguments(name, description, arguments string) json.RawMessage {
	properties := map[string]any{}
	for _, argument := range strings.Fields(arguments) {
		properties[argument] = map[string]string{"type": "string"}
	}
	raw, _ := json.Marshal(map[string]any{"name": name, "description": description,
		"annotations": map[string]bool{"readOnlyHint": true}, "inputSchema": map[string]any{"properties": properties}})
	return raw
}

// A text, number or date is an argument, so that a tool that replaces a part of it changes nothing. What is stored is another
// matter.
func TestValuesAreArguments(t *testing.T) {
	for _, c := range []struct {
		description, arguments string
		called                 bool
	}{
		{"Replace e-mail addresses in a text by [e-mail].", "text", true},
		{"Write every word of a text with a capital first letter.", "text", true},
		{"Write a Unix time in seconds as local date and time of a zone.", "unix zone", true},
		{"Inserts a hyphen into the given number.", "number", false}, // "the given number" may be one that is stored
		{"Appends a check digit to a number", "number", true},
		{"Write an amount of money the way a locale does, with two decimals.", "amount locale", true},
		{"Write a date by a pattern.", "date pattern", true},
		{"Writes a text to a file.", "text", false},
		{"Write a text as a new note.", "text", false},
		{"Write a time as the target on the display.", "number", false},
		{"Write a file.", "text", false},
		{"Replace a record.", "text", false},
		{"Replace the text of a note.", "text", false},
		{"Replace a phrase in the text of a page.", "word", false},
		{"Replace a phrase in a text.", "document_id word", false},
		{"Replace a phrase in a text.", "path word", false},
		{"Replace a phrase in a text.", "", false},
		{"Replace a phrase in a text and save it.", "text", false},
		{"Replace a phrase in a text and delete it.", "text", false},
		{"Replace a phrase in the text editor.", "text", false},
		{"Save a text with a title.", "text", false},
		{"Update the words of a text.", "text", false},
	} {
		raw := withArguments("words", c.description, c.arguments)
		if got := Of(raw); (got.Calls == Unlimited) != c.called {
			t.Errorf("%s: %+v; expected called: %v", raw, got, c.called)
		}
	}
}

func TestPermit(t *testing.T) {
	named := Permit{Tools: []string{"delete_order"}}
	unannotated := Permit{Unannotated: true}
	for _, c := range []struct {
		permit Permit
		raw    json.RawMessage
		calls  int
	}{
		{Permit{}, tool("note", "", ""), 0},
		{Permit{All: true}, tool("delete_order", "", `"destructiveHint":true`), Unlimited},
		{named, tool("delete_order", "", readOnly+`,"openWorldHint":true`), Unlimited},
		{named, tool("note", "", ""), 0},
		{named, tool("search", "", readOnly+`,"openWorldHint":true`), OpenWorldCalls},
		{unannotated, tool("note", "", ""), Unlimited},
		{unannotated, tool("note", "", `"title":"Note"`), Unlimited},
		{unannotated, json.RawMessage(`{"name":"note"}`), Unlimited},
		{unannotated, tool("note", "", `"openWorldHint":true`), OpenWorldCalls},
		{unannotated, tool("note", "", `"readOnlyHint":false`), 0},
		{unannotated, tool("note", "", `"destructiveHint":true`), 0},
		{unannotated, tool("delete_order", "", readOnly), 0},
		{unannotated, tool("get", "", readOnly), Unlimited},
	} {
		if got := c.permit.Of(c.raw); got.Calls != c.calls {
			t.Errorf("%+v of %s: %+v; want %d calls", c.permit, c.raw, got, c.calls)
		}
	}
}

func TestReasonWithoutReadOnlyHint(t *testing.T) {
	for annotations, want := range map[string]string{
		``: "no readOnlyHint", `"readOnlyHint":false`: "readOnlyHint is false", `"readOnlyHint":"yes"`: "no readOnlyHint",
	} {
		if got := Of(tool("git_add", "Adds files", annotations)); got.Calls != 0 || got.Why != want {
			t.Errorf("%s: %+v; want %q", annotations, got, want)
		}
	}
}

// TestReads checks which tools only read by what they say: annotations decide, and without any the name or the description.
func TestReads(t *testing.T) {
	for _, c := range []struct {
		name, description, annotations string
		want                           bool
	}{
		{"get_note", "Returns a note.", "", true},
		{"ci_get_log", "The log of a run.", "", true},
		{"course_average", "Returns the average of a course.", "", true},
		{"forecast", "The forecast of a city.", "", true},
		{"weights", "The weights of a city.", "", false},
		{"get_order", "Returns an order.", "", true},
		{"list_open_posts", "Lists posts.", "", true},
		{"get_or_create_user", "Returns a user.", "", false},
		{"next_ticket", "Returns the next ticket and marks it as read.", "", false},
		{"mark_as_read", "Marks a message.", "", false},
		{"set_view", "Sets the view.", "", false},
		{"start_test", "Starts a test.", "", false},
		{"create_report", "Create a new report.", "", false},
		{"update_status", "This tool updates the status.", "", false},
		{"deposit_money", "Deposits money.", "", false},
		{"weight", "This tool returns the weight.", "", true},
		{"audit_site", "Audits a site.", "", true},
		{"book_table", "Books a table.", "", false},
		{"commit_log", "Show the newest commits of a branch.", "", true},
		{"order_status", "Returns the status of an order.", "", true},
		{"commit_changes", "Commits all changes.", "", false},
		{"order", "Show the order.", "", false},
		{"record_vote", "Returns the number of votes and adds one.", "", false},
		{"next_ticket", "Claims the next ticket.", "", false},
		{"mystery", "", "", false},
		{"get_note", "Returns a note.", `"openWorldHint":false`, true},
		{"get_note", "Returns a note.", `"readOnlyHint":false`, false},
		{"get_note", "Returns a note.", `"destructiveHint":true`, false},
		{"forecast", "The forecast of a city.", readOnly, true},
		{"delete_note", "Deletes a note.", "", false},
		{"pop_message", "Returns a message and deletes it.", "", false},
		{"save_note", "Saves a note.", "", false},
	} {
		if got := Reads(tool(c.name, c.description, c.annotations)); got != c.want {
			t.Errorf("%s, %s %s: got %v, want %v", c.name, c.description, c.annotations, got, c.want)
		}
	}
}
