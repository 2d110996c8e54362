package io.drayage.study.sikdar.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import edu.rice.dmodel.Element;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class PageFormatsTest {
  static Stream<String> formats() {
    return Formats.all().stream().map(PageFormat::name);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void objectsComeBackFromPagesInTheirOrder(String name) throws IOException {
    PageFormat format = Formats.ofName(name);
    comeBack(format, ObjectKind.PART, Samples.ROWS.parts());
    comeBack(format, ObjectKind.LINE_ITEM, Samples.ROWS.lineItems(1_000));
    comeBack(format, ObjectKind.CUSTOMER, Samples.ROWS.customers(30));
    comeBack(
        format, ObjectKind.ELEMENT, IntStream.range(0, 1_000).mapToObj(this::element).toList());
  }

  private Element element(int position) {
    Element element = new Element();
    element.position = position;
    element.value = position / 3.0;
    return element;
  }

  private static void comeBack(PageFormat format, ObjectKind kind, List<?> objects)
      throws IOException {
    List<ByteBuffer> read = new ArrayList<>();
    List<ByteBuffer> pages = new ArrayList<>();
    try (PageFormat.PageWriter writer =
        format.writer(
            kind,
            (page, entries) -> {
              ByteBuffer copy = ByteBuffer.allocateDirect(page.remaining()).put(page).flip();
              assertThat(format.entries(kind, copy)).hasSize(entries);
              pages.add(copy);
            })) {
      for (Object object : objects) {
        writer.add(format.entryOf(kind, object));
      }
    }
    for (ByteBuffer page : pages) {
      for (Object entry : format.entries(kind, page)) {
        Object object = objects.get(read.size());
        assertThat(format.key(kind, entry)).isEqualTo(kind.key(object));
        assertThat(format.price(kind, entry)).isCloseTo(kind.price(object), within(1e-6));
        read.add(bytes(kind, entry));
      }
    }
    assertThat(read)
        .as("%s with %s", kind.title(), format.name())
        .containsExactlyElementsOf(
            objects.stream().map(object -> bytes(kind, format.entryOf(kind, object))).toList());
  }

  /** Returns all fields of an entry as bytes; {@link ObjectCodecsTest} compares them one by one. */
  private static ByteBuffer bytes(ObjectKind kind, Object entry) {
    return entry instanceof ByteBuffer inPlace
        ? inPlace
        : ByteBuffer.wrap(new ByteBufferCodec(false).write(kind, entry));
  }
}
