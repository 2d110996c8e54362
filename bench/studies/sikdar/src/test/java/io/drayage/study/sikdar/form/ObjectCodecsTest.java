package io.drayage.study.sikdar.form;

import static org.assertj.core.api.Assertions.assertThat;

import edu.rice.dmodel.Element;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(180)
class ObjectCodecsTest {
  static Stream<ObjectCodec> codecs() {
    return Stream.of(
        new JavaCodec(),
        new KryoCodec(false),
        new KryoCodec(true),
        new ProtobufCodec(),
        new ByteBufferCodec(false),
        new ByteBufferCodec(true),
        new JsonCodec(false),
        new BsonCodec(false));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void objectsComeBackAsTheyWere(ObjectCodec codec) throws IOException {
    comesBack(codec, ObjectKind.PART, Samples.ROWS.parts().subList(0, 3));
    comesBack(codec, ObjectKind.LINE_ITEM, Samples.ROWS.lineItems(3));
    comesBack(codec, ObjectKind.CUSTOMER, Samples.ROWS.customers(1));
    Element element = new Element();
    element.position = 7;
    element.value = 0.1;
    comesBack(codec, ObjectKind.ELEMENT, List.of(element));
  }

  private static void comesBack(ObjectCodec codec, ObjectKind kind, List<?> objects)
      throws IOException {
    for (Object object : objects) {
      Object read = codec.read(kind, codec.write(kind, object));
      assertThat(read)
          .as("%s with %s", kind.title(), codec.name())
          .usingRecursiveComparison()
          .isEqualTo(object);
    }
  }
}
