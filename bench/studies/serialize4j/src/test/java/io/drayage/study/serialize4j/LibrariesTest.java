package io.drayage.study.serialize4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.child.StudyFigure;
import io.drayage.bench.child.StudySettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class LibrariesTest {
  static Stream<Arguments> all() {
    return Beans.names().stream()
        .flatMap(
            type ->
                Libraries.names(Beans.make(type, 1, 1).get(0).getClass()).stream()
                    .map(system -> Arguments.of(system, type)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void objectsComeBackAsTheyWere(String system, String type) throws IOException {
    List<Object> objects = Beans.make(type, 20, 3);
    Library library = Libraries.ofName(system, objects.get(0).getClass());
    List<Object> read = library.read(library.write(objects));
    assertThat(read)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactlyElementsOf(objects);
  }

  @Test
  void sizesAreOfEveryClass() throws Exception {
    List<StudyFigure> sizes = new ArrayList<>();
    new Serialize4jStudy()
        .run(new StudySettings("sizes", 20, false, 1, StudySettings.Servers.LOOPBACK), sizes::add);
    assertThat(sizes).hasSize((int) all().count()).allMatch(size -> size.value() > 0);
  }
}
