package io.drayage.study.sikdar.form;

import java.util.List;
import java.util.stream.Stream;

/** The compared formats. */
public final class Formats {
  private Formats() {}

  /** Makes each codec of single objects, and the variants that follow the study's code. */
  public static List<ObjectCodec> codecs() {
    return List.of(
        new JavaCodec(),
        new BsonCodec(false),
        new BsonCodec(true),
        new JsonCodec(false),
        new JsonCodec(true),
        new ProtobufCodec(),
        new KryoCodec(false),
        new KryoCodec(true),
        new ByteBufferCodec(false),
        new ByteBufferCodec(true));
  }

  /** Makes each format whose objects need pages. */
  public static List<PageFormat> ofPages() {
    return List.of(new InPlacePages(), new BatchPages("raw"), new BatchPages("columnar"));
  }

  /** Makes each format that keeps all fields, for use by one thread. */
  public static List<PageFormat> all() {
    Stream<ObjectCodec> codecs =
        codecs().stream().filter(codec -> !codec.name().endsWith("as coded"));
    return Stream.concat(codecs.map(ObjectPages::new), ofPages().stream()).toList();
  }

  /** Makes the format with this name. */
  public static PageFormat ofName(String name) {
    return all().stream().filter(format -> format.name().equals(name)).findFirst().orElseThrow();
  }
}
