package session

// Question is a dialog that waits for the user.
type Question struct {
	Title, Body string
	Answers     []Answer
}

// Answer is a button of a Question.
type Answer struct {
	Title  string
	Do     func() // may be nil
	Enter  bool   // the Enter key presses it
	Cancel bool   // the Esc key presses it
	Danger bool   // it loses something
}

// Ask puts a question. One that is already waiting is cancelled by it.
func (s *Session) Ask(q Question) {
	s.question = &q
	s.invalidate()
}

// Question is the question that waits for an answer, or nil.
func (s *Session) Question() *Question { return s.question }

// Answer answers the question with its i-th answer.
func (s *Session) Answer(i int) {
	q := s.question
	if q == nil || i < 0 || i >= len(q.Answers) {
		return
	}
	s.question = nil
	if do := q.Answers[i].Do; do != nil {
		do()
	}
	s.invalidate()
}
