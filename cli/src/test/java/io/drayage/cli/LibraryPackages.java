package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packages of the published libraries, and their groups in the root {@code pom.xml}. */
final class LibraryPackages {
  static final Path ROOT = Path.of("..");
  static final List<String> MODULES =
      List.of(
          "parallel-codec",
          "columnar",
          "transport-netty",
          "cluster/store",
          "cluster/node",
          "connectors/arrow");

  private static final Pattern INTERNAL =
      Pattern.compile("<excludePackageNames>([^<]*)</excludePackageNames>");
  private static final Pattern GROUP = Pattern.compile("<packages>([^<]*)</packages>");

  private LibraryPackages() {}

  /** Returns the packages that no user may rely on. */
  static Set<String> internal() throws IOException {
    return listsOf(INTERNAL, 1).get(0);
  }

  /** Returns the packages for programs that embed the library. */
  static Set<String> embedding() throws IOException {
    return listsOf(GROUP, 2).get(0);
  }

  /** Returns the packages that transports and codecs implement and call. */
  static Set<String> spi() throws IOException {
    return listsOf(GROUP, 2).get(1);
  }

  private static List<Set<String>> listsOf(Pattern pattern, int count) throws IOException {
    Matcher lists = pattern.matcher(Files.readString(ROOT.resolve("pom.xml")));
    List<Set<String>> found =
        lists
            .results()
            .map((MatchResult list) -> Set.of(list.group(1).strip().split(":", -1)))
            .toList();
    assertThat(found).hasSize(count);
    return found;
  }

  /** Returns the source folder of a module. */
  static Path sources(String module) {
    return ROOT.resolve(Path.of(module, "src", "main", "java"));
  }

  /** Returns every package that has sources. */
  static Set<String> all() throws IOException {
    Set<String> packages = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(sources(module))) {
        packages.addAll(
            files
                .filter(file -> file.toString().endsWith(".java"))
                .map(file -> packageOf(sources(module).relativize(file)))
                .collect(Collectors.toSet()));
      }
    }
    return packages;
  }

  /** Returns the package of a source file, from its path below the source folder. */
  static String packageOf(Path source) {
    Path parent = source.getParent();
    return parent == null
        ? ""
        : parent.toString().replace(source.getFileSystem().getSeparator(), ".");
  }
}
