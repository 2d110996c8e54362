package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Compares the versions that the BOM repeats, because it has no parent, with the tested ones. */
@Tag("ci")
final class BomTest {
  private record Managed(String group, String artifact, String version) {}

  @Test
  void itsVersionsAreThoseOfTheBuild() throws Exception {
    Element build = read(Path.of("..", "pom.xml"));
    Element bom = read(Path.of("..", "build", "bom", "pom.xml"));
    Map<String, Set<String>> tested =
        managed(build).stream()
            .collect(
                Collectors.groupingBy(
                    Managed::group, Collectors.mapping(Managed::version, Collectors.toSet())));

    assertThat(text(bom, "version")).isEqualTo(text(build, "version"));
    assertThat(managed(bom))
        .hasSizeGreaterThan(5)
        .allSatisfy(each -> assertThat(tested.get(each.group())).containsExactly(each.version()));
  }

  @Test
  void itHasEveryLibrary() throws Exception {
    assertThat(managed(read(Path.of("..", "build", "bom", "pom.xml"))))
        .extracting(Managed::artifact)
        .contains(
            "drayage-parallel-codec",
            "drayage-columnar",
            "drayage-transport-netty",
            "drayage-store",
            "drayage-node",
            "drayage-arrow",
            "drayage-baseline");
  }

  private static Element read(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getDocumentElement();
  }

  private static List<Managed> managed(Element pom) {
    Element management = (Element) pom.getElementsByTagName("dependencyManagement").item(0);
    NodeList all = management.getElementsByTagName("dependency");
    List<Managed> managed = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      Element each = (Element) all.item(i);
      String version = text(each, "version");
      if (version.equals("${project.version}")) {
        version = text(pom, "version");
      } else if (version.startsWith("${")) {
        version = text(pom, version.substring(2, version.length() - 1));
      }
      managed.add(new Managed(text(each, "groupId"), text(each, "artifactId"), version));
    }
    return managed;
  }

  private static String text(Element in, String tag) {
    return in.getElementsByTagName(tag).item(0).getTextContent().strip();
  }
}
