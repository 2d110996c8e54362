package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.duckdb.sql.Sql;
import io.drayage.tables.TableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits SQL into its statements, at each semicolon outside of texts, names and comments. The
 * engine itself would run all statements and return one result.
 */
final class SqlText {
  /**
   * Tokens that hide an end of a statement within them. An open token goes to the end of the text.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<comment>--[^\\n]*|/\\*)"
              + "|(?<![\\w$])[eE]'(?:[^'\\\\]|\\\\.|'')*+'?"
              + "|'(?:[^']|'')*+'?"
              + "|\"(?:[^\"]|\"\")*+\"?"
              + "|`[^`]*`?"
              + "|(?<![\\w$])(?<tag>\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*)?\\$)"
              + "|;",
          Pattern.DOTALL);

  /** Texts of MySQL, where a quote after a backslash does not end the text. */
  private static final Pattern BACKSLASHES =
      Pattern.compile("'(?:[^'\\\\]|\\\\.|'')*+'?|\"(?:[^\"\\\\]|\\\\.|\"\")*+\"?", Pattern.DOTALL);

  /** The tokens for {@link #named}, which skips texts, numbers and signs. */
  private static final Pattern WORD =
      Pattern.compile(
          "--[^\\n]*|/\\*|'(?:[^']|'')*+'?|\"(?:[^\"]|\"\")*+\"?|[\\p{L}_][\\p{L}\\p{N}_$]*|[^\\s\\p{Z}]");

  private static final Set<String> NAMES = Set.of("CREATE", "ALTER", "DROP");

  /** Words that may precede the name. */
  private static final Set<String> NOISE =
      Set.of(
          "CREATE",
          "ALTER",
          "DROP",
          "OR",
          "REPLACE",
          "TEMP",
          "TEMPORARY",
          "LOCAL",
          "GLOBAL",
          "UNLOGGED",
          "TABLE",
          "VIEW",
          "IF",
          "NOT",
          "EXISTS");

  private static final Set<String> MACROS = Set.of("MACRO", "FUNCTION");

  private SqlText() {}

  /** Returns the statements, without semicolons. A statement of only comments is left out. */
  static List<String> statements(String sql) {
    List<String> statements = new ArrayList<>();
    Matcher token = TOKEN.matcher(sql);
    int start = 0;
    boolean isEmpty = true;
    int end = 0;
    while (token.find(end)) {
      isEmpty &= sql.substring(end, token.start()).isBlank();
      end = token.end();
      if (token.group().equals(";")) {
        add(statements, sql.substring(start, token.start()), isEmpty);
        start = end;
        isEmpty = true;
      } else if (token.group("tag") != null) {
        int close = sql.indexOf(token.group(), end);
        end = close < 0 ? sql.length() : close + token.group().length();
        isEmpty = false;
      } else if (token.group().equals("/*")) {
        end = endOfComment(sql, end);
      } else {
        isEmpty &= token.group("comment") != null;
      }
    }
    add(statements, sql.substring(start), isEmpty && sql.substring(end).isBlank());
    return statements;
  }

  private static void add(List<String> statements, String statement, boolean isEmpty) {
    if (!isEmpty) {
      statements.add(statement.strip());
    }
  }

  /** Returns the end of a comment, which may contain comments. */
  private static int endOfComment(String sql, int from) {
    int depth = 1;
    int at = from;
    while (depth > 0) {
      int close = sql.indexOf("*/", at);
      int open = sql.indexOf("/*", at);
      if (close < 0) {
        return sql.length();
      }
      boolean opens = open >= 0 && open < close;
      depth += opens ? 1 : -1;
      at = (opens ? open : close) + 2;
    }
    return at;
  }

  /**
   * The objects that a statement creates, changes or drops.
   *
   * @param isMacro whether they are macros; else tables or views
   * @param names the last parts of their names
   */
  record Named(boolean isMacro, List<String> names) {}

  /** Returns the objects that a statement creates, changes or drops; no names for others. */
  static Named named(String statement) {
    List<String> words = words(statement);
    int at = 0;
    while (at < words.size() && !isOf(NAMES, words.get(at))) {
      boolean isQuery = words.get(at).equalsIgnoreCase("SELECT");
      at = isQuery ? words.size() : at + 1; // The statement follows EXPLAIN or PREPARE.
    }
    at = behindNoise(words, at);
    boolean isMacro = at < words.size() && isOf(MACROS, words.get(at));
    return new Named(isMacro, names(words, isMacro ? behindNoise(words, at + 1) : at));
  }

  /** Returns the words outside of parentheses and comments. */
  private static List<String> words(String statement) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(statement);
    int depth = 0;
    for (int end = 0; word.find(end); ) {
      end = word.group().equals("/*") ? endOfComment(statement, word.end()) : word.end();
      depth += word.group().equals("(") ? 1 : word.group().equals(")") ? -1 : 0;
      boolean isComment = word.group().startsWith("--") || word.group().equals("/*");
      if (depth == 0 && !isComment) {
        words.add(word.group());
      }
    }
    return words;
  }

  private static boolean isOf(Set<String> words, String word) {
    return words.contains(word.toUpperCase(Locale.ROOT));
  }

  private static int behindNoise(List<String> words, int from) {
    int at = from;
    while (at < words.size()
        && isOf(NOISE, words.get(at))
        && !(at + 1 < words.size() && words.get(at + 1).equals("."))) {
      at++;
    }
    return at;
  }

  private static List<String> names(List<String> words, int from) {
    int at = from;
    List<String> names = new ArrayList<>();
    boolean isNext = true;
    while (at < words.size() && isNext) {
      String name = words.get(at++);
      while (at + 1 < words.size() && words.get(at).equals(".")) {
        name = words.get(at + 1);
        at += 2;
      }
      names.add(
          name.startsWith("\"")
              ? name.substring(1, Math.max(1, name.length() - 1)).replace("\"\"", "\"")
              : name);
      isNext = at < words.size() && words.get(at++).equals(",");
    }
    return names;
  }

  /**
   * Returns the only statement, without its semicolon.
   *
   * @param table for the result, in messages
   */
  static String only(String table, String sql) throws TableException {
    List<String> statements = statements(sql);
    if (statements.size() > 1 && statements(BACKSLASHES.matcher(sql).replaceAll("''")).size() > 1) {
      throw new TableException(
          format(
              "--select %s: a table is one statement, not %d: '%s' and '%s'",
              table,
              statements.size(),
              Sql.shown(statements.get(0)),
              Sql.shown(statements.get(1))));
    }
    if (statements.isEmpty()) {
      throw new TableException("--select %s: there is no statement".formatted(table));
    }
    return statements.size() == 1 ? statements.get(0) : sql;
  }
}
