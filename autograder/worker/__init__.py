"""What runs inside the sandbox, beside the student's code. It may import `kqa_core`, and nothing else of the instructor's."""
