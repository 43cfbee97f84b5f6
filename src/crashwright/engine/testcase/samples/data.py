"""Samples of data formats: JSON (RFC 8259), TOML 1.0, YAML 1.2, INI files as configparser reads them, CSV (RFC 4180), SQL."""

from __future__ import annotations

# fmt: off
JSON = (
    "{}", "[]", "null", "true", "false", "0", "-1", "1.5", "1e400", "1E-2", '""', '"text"',
    '"\\u00e9\\ud83d\\ude00\\n\\"\\\\\\/"', "[1, 2, 3]", '[null, true, 1.0, "a", [], {}]', '{"alpha": 1}', '{"alpha": null}',
    '{"alpha": true}', '{"alpha": "text"}', '{"alpha": []}', '{"alpha": {}}', '{"alpha": {"beta": {"gamma": 1}}}',
    '{"alpha": [{"beta": 1}, {"beta": 2}]}', '{"alpha": 1, "beta": [1, 2], "gamma": {"delta": "x"}}',
    '[{"alpha": 1}, {"alpha": "x"}]', "[[1, 2], [3, 4]]", '{"": 1}', '{"alpha": 1, "alpha": 2}',
    '{"type": "alpha", "name": "beta", "value": 1}', '{"alpha": "2020-01-02T03:04:05Z"}', ' {\n "alpha" : 1\n}\n', "NaN",
    "[Infinity, -Infinity]", "", " ", "{", "[1,]", "{'alpha': 1}", "[1 2]", '{"alpha"}', '"\\x"', '"\n"', "01", "nul",
    '{"$ref": "#/alpha", "alpha": {"type": "object", "properties": {"beta": {"type": "string"}}, "required": ["beta"]}}',
    '{"alpha": 123456789012345678901234567890}', "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", "\ufeff{}",
    '{"alpha": "http://example.org/"}', '{"alpha": -0.0}', "{}\n{}\n",
)
TOML = (
    "", "alpha = 1\n", "alpha = 'text'\n", 'alpha = "te\\u00e9\\n"\n', "alpha = 1.5\nbeta = -inf\ngamma = nan\n",
    "alpha = true\n", "alpha = 0xff\nbeta = 1_000\n", "alpha = 1979-05-27T07:32:00Z\n", "alpha = 1979-05-27\nbeta = 07:32:00\n",
    "alpha = []\n", "alpha = [1, 2]\n", "alpha = [[1], ['a']]\n", "alpha = [\n  1, # comment\n]\n", "alpha = {}\n",
    "alpha = { beta = 1, gamma.delta = 2 }\n", "alpha.beta = 1\nalpha.gamma = 2\n", '"alpha beta" = 1\n', "'' = 1\n",
    "3.14 = 1\n", "[alpha]\n", "[alpha]\nbeta = 1\n", "[alpha.beta]\ngamma = 1\n", "[alpha]\n[alpha.beta]\n",
    "[alpha.beta]\n[alpha]\n", "[[alpha]]\nbeta = 1\n[[alpha]]\n", "[[alpha]]\n[alpha.beta]\n[[alpha.gamma]]\n",
    "# comment\n\nalpha = 1 # comment\n", 'alpha = """\none\n  two \\\n  three"""\n', "alpha = '''\none'''\n",
    "[alpha]\nbeta.gamma = 1\n[alpha.beta.delta]\n", "alpha = 1\nalpha = 2\n", "[alpha]\n[alpha]\n", "alpha = 1\n[alpha]\n",
    "alpha.beta = 1\n[alpha]\n", "alpha = { beta = 1 }\n[alpha.gamma]\n", "alpha = [1]\n[[alpha]]\n", "alpha\n", "alpha =\n",
    "= 1\n", "[alpha\n", "[]\n", "alpha = 1 beta = 2\n", "[alpha]\r\nbeta = 1\r\n",
    "[alpha]\nx = 1\n[beta]\n[alpha.gamma]\ny = 2\n", "[[alpha.beta]]\n[alpha]\nx = 1\n", "[ alpha . 'beta' ]\n",
)
YAML = (
    "", "alpha: 1\n", "alpha: text\nbeta: 'text'\n", "- 1\n- two\n", "alpha:\n  beta: 1\n  gamma: [1, {a: b}]\n",
    "alpha:\n- 1\n-\n  - 2\n", "- alpha: 1\n  beta: 2\n", "{alpha: 1, beta: [2]}\n", "--- text\n...\n",
    "---\na: 1\n---\nb: 2\n", "alpha: &x {a: 1}\nbeta: *x\n", "<<: {a: 1}\n", "alpha: |\n  one\n  two\n",
    "alpha: >-\n  one\n  two\n", "alpha: !!str 1\n", "!alpha {a: 1}\n", "? alpha\n: 1\n", "alpha: null\nbeta: ~\ngamma:\n",
    "a: yes\nb: 0o17\nc: 1e3\nd: .inf\ne: 2001-12-14\n", "# comment\nalpha: 1 # x\n", '"a\\tb": "\\x41"\n',
    "%YAML 1.2\n---\na\n", "alpha: [1\n", "a: b: c\n", "\ta: 1\n", "@a\n",
)
INI = (
    "", "[alpha]\n", "[alpha]\nbeta = 1\n", "[alpha]\nbeta: 1\ngamma=2\n", "[alpha]\nbeta\n", "[alpha]\nbeta =\n",
    "[DEFAULT]\nalpha = 1\n[beta]\ngamma = %(alpha)s\n", "[alpha]\nbeta = ${gamma}\n",
    "[alpha]\nbeta = one\n  two\n\n  three\n", "# comment\n; comment\n[alpha]\nbeta = 1 ; x\n", "[alpha]\n[beta]\n",
    "[alpha]\n[alpha]\n", "[alpha]\nbeta = 1\nbeta = 2\n", "alpha = 1\n", "[alpha\n", "[]\na = 1\n",
    "[alpha:beta]\ngamma =\n    one\n    two\n", "[alpha]\nbeta = yes\ngamma = off\n", "[alpha]\nbeta = %\n", "[alpha]\n= 1\n",
    "[alpha]\r\nbeta = 1\r\n", "  [alpha]\n  beta = 1\n", "[alpha.beta]\nGamma = 'x'\n",
)
CSV = (
    "", "\n", "alpha\n", "alpha,beta\n1,2\n", "alpha,beta\r\n1,2\r\n", "alpha;beta\n1;2\n", "alpha\tbeta\n1\t2\n",
    "alpha|beta\n1|2", '"alpha","beta"\n"1","2"\n', '"a ""b"" c",d\n', '"one\ntwo",3\n', "a,,b\n,,\n", "a,b\n1\n1,2,3\n",
    " a , b \n 1 , 2 \n", "a,b\n\n1,2\n", "# comment\na,b\n", "a,a\n1,2\n", '"a', "a\x00b\n", "1.5,-2,1e3\n",
    "2020-01-02,true,\n", "\ufeffa,b\n1,2\n", "a,b\n'1','2'\n", "a\\,b,c\n", "a b c\n1 2 3\n", "name,value\nalpha,1\nbeta,x\n",
    '"",""\n',
    (
        "a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2"
        "\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2"
    ),
)
SQL = (
    "SELECT 1", "SELECT * FROM alpha",
    "SELECT alpha, beta AS b FROM gamma AS g WHERE g.alpha = 'x' AND beta > 1 OR NOT delta IS NULL",
    "SELECT DISTINCT alpha FROM beta ORDER BY alpha DESC NULLS LAST LIMIT 1 OFFSET 2",
    "SELECT COUNT(*), SUM(alpha) FROM beta GROUP BY gamma HAVING COUNT(*) > 1", "",
    "SELECT * FROM alpha JOIN beta ON alpha.id = beta.id LEFT JOIN gamma USING (id)", "SELECT * FROM alpha, beta",
    "SELECT alpha FROM beta UNION ALL SELECT gamma FROM delta", "SELECT (SELECT 1) AS a",
    "SELECT * FROM (SELECT alpha FROM beta) AS t", "SELECT * FROM alpha WHERE id IN (SELECT id FROM beta)", ";",
    "SELECT * FROM alpha WHERE EXISTS (SELECT 1 FROM beta WHERE beta.id = alpha.id)",
    "WITH alpha AS (SELECT 1 AS a) SELECT * FROM alpha",
    "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a",
    "SELECT CASE WHEN alpha THEN 1 ELSE 2 END", "SELECT CASE alpha WHEN 1 THEN 'x' END FROM b",
    "SELECT CAST(alpha AS VARCHAR(10)), alpha::int",
    "SELECT ROW_NUMBER() OVER (PARTITION BY alpha ORDER BY beta ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "SELECT alpha BETWEEN 1 AND 2, beta LIKE '%x_' ESCAPE '!'", 'SELECT "a b", `c`, [d]',
    "SELECT 'it''s', N'x', X'00', 1.5e3, -1", "SELECT a[1], {b}, $1, :c, ?, @d, %s", "INSERT INTO alpha VALUES (1, 'x', NULL)",
    "INSERT INTO alpha (a, b) SELECT c, d FROM beta", "UPDATE alpha SET a = 1, b = b + 1 WHERE c",
    "DELETE FROM alpha WHERE a < 1",
    "CREATE TABLE alpha (id INT PRIMARY KEY, b VARCHAR(5) NOT NULL DEFAULT 'x', FOREIGN KEY (b) REFERENCES c (d))",
    "DROP TABLE IF EXISTS alpha CASCADE", "ALTER TABLE alpha ADD COLUMN b INT", "CREATE VIEW alpha AS SELECT 1",
    "CREATE INDEX a ON b (c)", "BEGIN; COMMIT; ROLLBACK", "-- comment\nSELECT 1 /* comment */",
    "SELECT * FROM alpha CROSS JOIN UNNEST(b) AS t(c)", "SELECT * FROM alpha LATERAL VIEW EXPLODE(b) t AS c", "(SELECT 1)",
    "SELECT", "SELECT (", "CREATE FUNCTION a() RETURNS INT AS $$ BEGIN RETURN 1; END $$", "EXPLAIN SELECT 1",
    "GRANT SELECT ON a TO b", "MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN DELETE",
    "SELECT INTERVAL '1' DAY, DATE '2020-01-02', EXTRACT(YEAR FROM a)",
)
# fmt: on
