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
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What of the libraries is their API: the packages that have Javadoc. The root {@code pom.xml}
 * names the others, {@code docs/embedding.md} these.
 */
final class ApiTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern EXCLUDED =
      Pattern.compile("<excludePackageNames>([^<]*)</excludePackageNames>");
  private static final Pattern NAMED = Pattern.compile("`(io\\.drayage[a-z.]*)`");
  private static final String OURS = "io.drayage";

  /** Whose types the API shows: what meters are bound to, and event loops. */
  private static final List<String> OTHERS = List.of("io.micrometer.", "io.netty.");

  private static final JavaClasses LIBRARIES = importLibraries();

  private final Set<String> internal = internalPackages();

  private static JavaClasses importLibraries() {
    return new ClassFileImporter()
        .withImportOption(new DoNotIncludeTests())
        .importPaths(
            Stream.of(
                    "parallel-codec",
                    "columnar",
                    "transport-netty",
                    "cluster/store",
                    "cluster/node")
                .map(module -> ROOT.resolve(Path.of(module, "target", "classes")))
                .toList());
  }

  private static Set<String> internalPackages() {
    try {
      Matcher excluded = EXCLUDED.matcher(Files.readString(ROOT.resolve("pom.xml")));
      assertThat(excluded.find()).isTrue();
      return Arrays.stream(excluded.group(1).split(":", -1))
          .map(String::strip)
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Set<String> apiPackages() {
    Set<String> packages = new TreeSet<>();
    LIBRARIES.forEach(each -> packages.add(each.getPackageName()));
    assertThat(packages).containsAll(internal);
    packages.removeAll(internal);
    return packages;
  }

  @Test
  void thePageNamesAllOfIt() throws IOException {
    Set<String> named =
        NAMED
            .matcher(Files.readString(ROOT.resolve(Path.of("docs", "embedding.md"))))
            .results()
            .map((MatchResult name) -> name.group(1))
            .collect(Collectors.toSet());

    assertThat(named).containsExactlyInAnyOrderElementsOf(apiPackages());
  }

  @Test
  void itShowsNothingThatIsInternal() {
    Set<String> api = apiPackages();
    Set<String> shown = new TreeSet<>();
    for (JavaClass each : LIBRARIES) {
      if (api.contains(each.getPackageName()) && isOpen(each)) {
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

  /** Whether users see it: with all that it is in. */
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
    Stream<JavaType> named =
        member instanceof JavaCodeUnit code
            ? Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
            : Stream.of(((JavaField) member).getType());
    return named.flatMap(type -> type.getAllInvolvedRawTypes().stream());
  }
}
