BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('e43177bfe90b');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	course_id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	FOREIGN KEY(course_id) REFERENCES course (id)
);
INSERT INTO "assignment" VALUES('14db68e840624909a67e09925a40c6be','01_sorting',NULL,'sorting');
CREATE TABLE base_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32) NOT NULL, 
	type VARCHAR(50), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id, type), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "base_cell" VALUES('b3538b25dab24626b4f6c92d968b69ce','check_insert_sorted','98c12d27886f473f84e26518bca8cd9e','GradeCell');
INSERT INTO "base_cell" VALUES('46598e5c50534972a0cd069a30019b99','check_merge_sorted','98c12d27886f473f84e26518bca8cd9e','GradeCell');
INSERT INTO "base_cell" VALUES('c3b6cea80ac14dc5816d606843a5d418','insert_sorted','98c12d27886f473f84e26518bca8cd9e','SolutionCell');
INSERT INTO "base_cell" VALUES('11879e94005e41898e1248aa5c6228d2','merge_sorted','98c12d27886f473f84e26518bca8cd9e','SolutionCell');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "comment" VALUES('13f89a27b53c42af8aebb10aeaffd119','53248dbc1b3a4ff48635906e461e3ef5','c3b6cea80ac14dc5816d606843a5d418',NULL,NULL);
INSERT INTO "comment" VALUES('a9595cdd885842c2a4afb17f97ed30b4','53248dbc1b3a4ff48635906e461e3ef5','11879e94005e41898e1248aa5c6228d2',NULL,NULL);
INSERT INTO "comment" VALUES('5229c5d25e3840bbb40f4eedb4d7fb37','a6866b8c11e44192b0ee9eb910c2b940','c3b6cea80ac14dc5816d606843a5d418',NULL,NULL);
INSERT INTO "comment" VALUES('17e2449c5a924213baa293861bd2a539','a6866b8c11e44192b0ee9eb910c2b940','11879e94005e41898e1248aa5c6228d2',NULL,NULL);
INSERT INTO "comment" VALUES('53536463307c42dbb190044d98566319','76a9adf8cb074ebba5f30695061bbdd3','c3b6cea80ac14dc5816d606843a5d418',NULL,NULL);
INSERT INTO "comment" VALUES('7f22db48b5a648a4ba2251e4bdd16741','76a9adf8cb074ebba5f30695061bbdd3','11879e94005e41898e1248aa5c6228d2','No response.','Half of it is right.');
INSERT INTO "comment" VALUES('0c3aa5bdbb03446a87452969a21e8c67','60c9ca026d304daeabd164e02217eb71','c3b6cea80ac14dc5816d606843a5d418','No response.',NULL);
INSERT INTO "comment" VALUES('49272e8b02094ad0b96f6b05b574cf73','60c9ca026d304daeabd164e02217eb71','11879e94005e41898e1248aa5c6228d2','No response.',NULL);
INSERT INTO "comment" VALUES('3d59e6412dcd4f1693d171becacc3259','9524936244204ec5b95dc8df595e3dab','c3b6cea80ac14dc5816d606843a5d418',NULL,NULL);
INSERT INTO "comment" VALUES('2d4628ef5a2d45c0934852d0281f66e2','9524936244204ec5b95dc8df595e3dab','11879e94005e41898e1248aa5c6228d2',NULL,NULL);
CREATE TABLE course (
	id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (id)
);
INSERT INTO "course" VALUES('sorting');
INSERT INTO "course" VALUES('default_course');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "grade" VALUES('58c1c7fa19f543a5a5d6313faf3d9abd','53248dbc1b3a4ff48635906e461e3ef5','b3538b25dab24626b4f6c92d968b69ce',2.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('4f0f696ffd8b4abc99a8948403a39fb7','53248dbc1b3a4ff48635906e461e3ef5','46598e5c50534972a0cd069a30019b99',3.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('b94a58fef4a844cb8854897e1d93878c','a6866b8c11e44192b0ee9eb910c2b940','b3538b25dab24626b4f6c92d968b69ce',2.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('cce96691a1654fb3951ede0813c86de4','a6866b8c11e44192b0ee9eb910c2b940','46598e5c50534972a0cd069a30019b99',3.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('ec5a0084e0d0455d8f0a302ca335b1cf','76a9adf8cb074ebba5f30695061bbdd3','b3538b25dab24626b4f6c92d968b69ce',2.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('ed31dab11bea402bac14ecd420b7bf8b','76a9adf8cb074ebba5f30695061bbdd3','46598e5c50534972a0cd069a30019b99',0.0,1.5,NULL,0);
INSERT INTO "grade" VALUES('d73a29df898d49e48462ee7125a6de23','60c9ca026d304daeabd164e02217eb71','b3538b25dab24626b4f6c92d968b69ce',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('a41abdf468c647f1818e107361dc6c21','60c9ca026d304daeabd164e02217eb71','46598e5c50534972a0cd069a30019b99',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('010142c66a5443f7b6fe4277e086552d','9524936244204ec5b95dc8df595e3dab','b3538b25dab24626b4f6c92d968b69ce',0.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('cdbfde677c044754a8047da2fdd658f8','9524936244204ec5b95dc8df595e3dab','46598e5c50534972a0cd069a30019b99',0.0,NULL,NULL,0);
CREATE TABLE grade_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "grade_cells" VALUES('b3538b25dab24626b4f6c92d968b69ce',2.0,'code');
INSERT INTO "grade_cells" VALUES('46598e5c50534972a0cd069a30019b99',3.0,'code');
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('98c12d27886f473f84e26518bca8cd9e','01_sorting','14db68e840624909a67e09925a40c6be','{"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}');
CREATE TABLE solution_cells (
	id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "solution_cells" VALUES('c3b6cea80ac14dc5816d606843a5d418');
INSERT INTO "solution_cells" VALUES('11879e94005e41898e1248aa5c6228d2');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "source_cell" VALUES('d491678dbaca4b478271a278a1726f85','setup_1','code',1,'from kqa_core.check import attempted, check, hint, progress, solution  # hint("insert_sorted") gives a hint','d551552df436b1d8c9dc2c2a5f7d8949','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('4b631a59639d4287b9b582f2d2b24245','statement_insert_sorted','markdown',1,'### Exercise 1. `insert_sorted`

*2 points · difficulty 1 of 5 · importance 5 of 5 · about 5 minutes · checked · written for this course*

`numbers` is a sorted list and `x` a number. Return a new sorted list that holds all of `numbers` and also `x`. A number
that is there twice stays there twice.

For example, `insert_sorted([2, 5, 9], 6)` is `[2, 5, 6, 9]`.','4c7f71ddbd55ae69229b434666a7ab96','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('472df0280df2451ba6f16e2caffcffb0','insert_sorted','code',0,'def insert_sorted(numbers, x):
    """A new sorted list with the sorted list numbers and x in it."""
    raise NotImplementedError("exercise insert_sorted: replace this line with your answer")','fe900b6bfc57c4bd2ef1161d6125a8d4','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('fb7fe57de0594e1b8a08febdf4fb9ec6','check_insert_sorted','code',1,'check("insert_sorted", insert_sorted)
### BEGIN HIDDEN TESTS
from autograder.build.nbgrader_check import hidden

hidden("insert_sorted", insert_sorted)
### END HIDDEN TESTS','c17588c03c23003bcdd2178320b67475','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('8a6a83b1f45444d78adb3baebf2c579a','statement_merge_sorted','markdown',1,'### Exercise 2. `merge_sorted`

*3 points · difficulty 2 of 5 · importance 4 of 5 · about 10 minutes · checked · written for this course*

`left` and `right` are sorted lists. Return one sorted list that holds the numbers of both.

For example, `merge_sorted([1, 4], [2, 4, 7])` is `[1, 2, 4, 4, 7]`.','d9fb91596dc7866bcc20c004e21e3df9','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('6877bbe1d685426aa54e90bede7ffabf','merge_sorted','code',0,'def merge_sorted(left, right):
    """One sorted list with the numbers of the sorted lists left and right."""
    raise NotImplementedError("exercise merge_sorted: replace this line with your answer")','f9c16e02416b2fcc415e8c7485613543','98c12d27886f473f84e26518bca8cd9e');
INSERT INTO "source_cell" VALUES('d6471229144047ecab6a6f46ba35fb17','check_merge_sorted','code',1,'check("merge_sorted", merge_sorted)
### BEGIN HIDDEN TESTS
from autograder.build.nbgrader_check import hidden

hidden("merge_sorted", merge_sorted)
### END HIDDEN TESTS','29a30fc7797b3d5be26ad070f3ccd804','98c12d27886f473f84e26518bca8cd9e');
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	lms_user_id VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('ada',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('bo',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('cleo',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('dan',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('eve',NULL,NULL,NULL,NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('f561cb0108a44fa5b2f00dd4edd47dbf','14db68e840624909a67e09925a40c6be','ada',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('7f4c029b9c8f4cacba81cb431abe0d78','14db68e840624909a67e09925a40c6be','bo',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('b0c0c8ab8860405fa5146a55f4f13552','14db68e840624909a67e09925a40c6be','cleo',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('9466b0909595480799a8ed93ceca7a75','14db68e840624909a67e09925a40c6be','dan',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('28773f8635724427ae7b9499e633887e','14db68e840624909a67e09925a40c6be','eve',NULL,NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('53248dbc1b3a4ff48635906e461e3ef5','f561cb0108a44fa5b2f00dd4edd47dbf','98c12d27886f473f84e26518bca8cd9e',0,NULL);
INSERT INTO "submitted_notebook" VALUES('a6866b8c11e44192b0ee9eb910c2b940','7f4c029b9c8f4cacba81cb431abe0d78','98c12d27886f473f84e26518bca8cd9e',0,NULL);
INSERT INTO "submitted_notebook" VALUES('76a9adf8cb074ebba5f30695061bbdd3','b0c0c8ab8860405fa5146a55f4f13552','98c12d27886f473f84e26518bca8cd9e',0,NULL);
INSERT INTO "submitted_notebook" VALUES('60c9ca026d304daeabd164e02217eb71','9466b0909595480799a8ed93ceca7a75','98c12d27886f473f84e26518bca8cd9e',0,NULL);
INSERT INTO "submitted_notebook" VALUES('9524936244204ec5b95dc8df595e3dab','28773f8635724427ae7b9499e633887e','98c12d27886f473f84e26518bca8cd9e',0,NULL);
CREATE TABLE task_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
CREATE INDEX kqa_submitted_assignment_student_id ON submitted_assignment (student_id);
CREATE INDEX kqa_submitted_notebook_assignment_id ON submitted_notebook (assignment_id);
CREATE INDEX kqa_grade_notebook_id ON grade (notebook_id);
CREATE INDEX kqa_comment_notebook_id ON comment (notebook_id);
COMMIT;
