package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the rules of CONTRIBUTING's "Plain English" that a pattern can find. */
@Tag("ci")
final class EnglishTest {
  private static final Path ROOT = Path.of("..");

  /** A summary of Javadoc that begins with neither a verb nor a noun. */
  private static final Pattern SUMMARY =
      Pattern.compile(
          "/\\*\\*[\\s*]*(?:What|Of|As|The same|Those|Who|Whoever|Which|Whatever|Where|When|If|Why"
              + "|How|By|Its?|So|Until|For|To|In|On|With|Without|From|At)\\b[^\\n]*");

  /** Phrases that readers read twice, but not the verdict "cannot be told". */
  private static final Pattern PHRASE =
      Pattern.compile(
          "(?i)\\b(?:in turns|for want of|by chance|whoever|in silence|what it is of"
              + "|(?:is|are|was|were|(?<!cannot )be) told)\\b");

  /** A number and the noun it counts, in a format: {@code %,d raw bytes}. */
  private static final Pattern COUNTED =
      Pattern.compile("%,?d (?:raw |full )?(?!(?:s|ms|is|was|has|keeps|leaves)\\b)[a-z]+s\\b");

  @Test
  void summariesBeginWithAVerbOrANoun() throws IOException {
    assertThat(found(ROOT, ".java", SUMMARY)).isEmpty();
  }

  /** Excludes CONTRIBUTING, which shows the phrases as examples. */
  @Test
  void pagesUseTheWordsOfTheField() throws IOException {
    assertThat(found(ROOT.resolve("docs"), ".md", PHRASE)).isEmpty();
    assertThat(find(ROOT.resolve("README.md"), PHRASE)).isEmpty();
  }

  /** Finds messages that would say "1 rows". */
  @Test
  void messagesCountByCounted() throws IOException {
    for (String module : List.of("cli", "connectors/duckdb")) {
      assertThat(found(ROOT.resolve(module).resolve("src/main/java"), ".java", COUNTED))
          .as("numbers with a noun in %s: use Counted", module)
          .isEmpty();
    }
  }

  /** Returns the file, line and text of each place below a folder that matches. */
  private static List<String> found(Path folder, String ending, Pattern pattern)
      throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
            return entered.endsWith("target") || entered.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(ending)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(files).isNotEmpty();
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      found.addAll(find(file, pattern));
    }
    return found;
  }

  private static List<String> find(Path file, Pattern pattern) throws IOException {
    String text = Files.readString(file);
    return pattern.matcher(text).results().map(match -> place(file, text, match)).toList();
  }

  private static String place(Path file, String text, MatchResult match) {
    long line = text.substring(0, match.start()).lines().count();
    return ROOT.relativize(file) + ":" + line + ": " + match.group().strip();
  }
}
