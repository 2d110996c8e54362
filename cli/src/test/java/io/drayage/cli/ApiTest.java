package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The API of the libraries: the packages that have Javadoc, in two groups. The root {@code pom.xml}
 * names these and the other packages, {@code docs/embedding.md} these.
 */
@Tag("ci")
final class ApiTest {
  private static final Pattern NAMED = Pattern.compile("`(io\\.drayage[a-z.]*)`");
  private static final String OURS = "io.drayage";

  private static final Pattern IMPORT = Pattern.compile("(?m)^import (io\\.drayage\\.[\\w.]+);");
  private static final String FOR_PROGRAMS = "For programs that embed the library.";
  private static final String SPI = "SPI: for authors of transports and codecs";

  /** Libraries whose types the API shows: for meters, and for event loops. */
  private static final List<String> OTHERS = List.of("io.micrometer.", "io.netty.");

  private static final JavaClasses LIBRARIES = importLibraries();

  private static JavaClasses importLibraries() {
    return new ClassFileImporter()
        .withImportOption(new DoNotIncludeTests())
        .importPaths(
            LibraryPackages.MODULES.stream()
                // It is not on this class path, and shows the types of Arrow.
                .filter(module -> !module.equals("connectors/arrow"))
                .map(module -> LibraryPackages.ROOT.resolve(Path.of(module, "target", "classes")))
                .toList());
  }

  private static Set<String> apiPackages() throws IOException {
    Set<String> packages = new TreeSet<>(LibraryPackages.embedding());
    packages.addAll(LibraryPackages.spi());
    return packages;
  }

  @Test
  void everyPackageIsInOneGroupOrInternal() throws IOException {
    List<String> grouped = new ArrayList<>(LibraryPackages.embedding());
    grouped.addAll(LibraryPackages.spi());
    grouped.addAll(LibraryPackages.internal());

    assertThat(grouped).containsExactlyInAnyOrderElementsOf(LibraryPackages.all());
    assertThat(apiPackages()).noneMatch(name -> name.endsWith(".internal"));
  }

  @Test
  void packagesOfTheApiSayWhichGroupTheyAreIn() throws IOException {
    Set<String> described = new TreeSet<>();
    for (String module : LibraryPackages.MODULES) {
      Path sources = LibraryPackages.sources(module);
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path info : files.filter(file -> file.endsWith("package-info.java")).toList()) {
          String name = LibraryPackages.packageOf(sources.relativize(info));
          String text = Files.readString(info);
          assertThat(Stream.of(FOR_PROGRAMS, SPI).filter(text::contains))
              .as("%s", info)
              .containsExactly(LibraryPackages.embedding().contains(name) ? FOR_PROGRAMS : SPI);
          described.add(name);
        }
      }
    }
    assertThat(described).isEqualTo(apiPackages());
  }

  @Test
  void thePageNamesAllOfIt() throws IOException {
    List<String> page =
        Files.readAllLines(LibraryPackages.ROOT.resolve(Path.of("docs", "embedding.md")));

    assertThat(named(page.stream().filter(line -> !line.startsWith("| SPI:"))))
        .containsExactlyInAnyOrderElementsOf(LibraryPackages.embedding());
    assertThat(named(page.stream().filter(line -> line.startsWith("| SPI:"))))
        .containsExactlyInAnyOrderElementsOf(LibraryPackages.spi());
  }

  private static List<String> named(Stream<String> lines) {
    return lines
        .flatMap(line -> NAMED.matcher(line).results().map((MatchResult name) -> name.group(1)))
        .toList();
  }

  /** Requires that programs use only the part of the SPI that its package comments name. */
  @Test
  void theExamplesUseOfTheSpiWhatItsPackagesName() throws IOException {
    Set<String> spi = LibraryPackages.spi();
    Set<String> used = new TreeSet<>();
    try (Stream<Path> files = Files.walk(LibraryPackages.ROOT.resolve("examples"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        IMPORT.matcher(Files.readString(file)).results().forEach(each -> used.add(each.group(1)));
      }
    }
    used.removeIf(type -> !spi.contains(type.substring(0, type.lastIndexOf('.'))));
    StringBuilder named = new StringBuilder();
    for (String name : spi) {
      Path info = Path.of(name.replace('.', '/'), "package-info.java");
      named.append(
          Files.readString(LibraryPackages.sources("parallel-codec").resolve(info))
              .replaceAll("\\n \\* ", " "));
    }

    assertThat(used).isNotEmpty().allMatch(type -> named.indexOf("{@link " + type + "}") >= 0);
  }

  @Test
  void itShowsNothingThatIsInternal() throws IOException {
    Set<String> api = apiPackages();
    Set<String> shown = new TreeSet<>();
    for (JavaClass each : LIBRARIES) {
      if (api.contains(each.getPackageName()) && isOpen(each)) {
        Stream.concat(each.getRawSuperclass().stream(), each.getRawInterfaces().stream())
            .filter(above -> !mayBeShown(above, api))
            .forEach(above -> shown.add(each.getName() + " is a " + above.getName()));
        each.getMembers().stream()
            .filter(ApiTest::isOpen)
            .forEach(
                member ->
                    types(member)
                        .filter(type -> !mayBeShown(type, api))
                        .forEach(type -> shown.add(member.getFullName() + ": " + type.getName())));
      }
    }

    assertThat(shown).isEmpty();
  }

  private static boolean mayBeShown(JavaClass type, Set<String> api) {
    JavaClass base = type.getBaseComponentType();
    String name = base.getPackageName();
    return name.startsWith(OURS)
        ? api.contains(name)
        : base.isPrimitive()
            || name.startsWith("java.")
            || OTHERS.stream().anyMatch(name::startsWith);
  }

  /** Whether users see the type: it and all enclosing types are visible. */
  private static boolean isOpen(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ApiTest::isOpen).orElse(true);
  }

  private static boolean isOpen(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return modifiers.contains(JavaModifier.PUBLIC)
        || (modifiers.contains(JavaModifier.PROTECTED)
            && !member.getOwner().getModifiers().contains(JavaModifier.FINAL));
  }

  private static Stream<JavaClass> types(JavaMember member) {
    if (member instanceof JavaCodeUnit code) {
      return Stream.concat(
          code.getExceptionTypes().stream(),
          Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
              .flatMap(ApiTest::involved));
    }
    return involved(((JavaField) member).getType());
  }

  private static Stream<JavaClass> involved(JavaType type) {
    return type.getAllInvolvedRawTypes().stream();
  }
}
