package io.drayage.study.hazelcast;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.Person;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A thousand persons at a time, a column a field, by a segment serializer of this project.
 * Passports are a table of their own: the persons that have one say so.
 *
 * <pre>
 *   per column: type (i1), rows (i4), length (i4), segment
 * </pre>
 */
final class ColumnOption implements Option {
  private static final int BATCH = 1_000;
  private static final int COLUMN_HEADER_BYTES = 9;
  private static final int TEXT_LENGTH_BYTES = 4;

  private final String name;
  private final SegmentSerializer serializer;
  private ByteBuffer page = littleEndian(1 << 18);

  ColumnOption(String name) {
    this.name = name;
    this.serializer = Serializers.ofName(name).newSegmentSerializer();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<?> own(List<Person> persons) {
    List<List<Person>> batches = new ArrayList<>();
    for (int start = 0; start < persons.size(); start += BATCH) {
      batches.add(persons.subList(start, Math.min(start + BATCH, persons.size())));
    }
    return batches;
  }

  @Override
  public byte[] write(Object own) {
    List<Person> persons = new ArrayList<>();
    List<Passport> passports = new ArrayList<>();
    for (Object each : (List<?>) own) {
      Person person = (Person) each;
      persons.add(person);
      if (person.passport != null) {
        passports.add(person.passport);
      }
    }
    boolean[] has = new boolean[persons.size()];
    for (int i = 0; i < has.length; i++) {
      has[i] = persons.get(i).passport != null;
    }
    page.clear();
    put(new String[][] {persons.stream().map(person -> person.firstName).toArray(String[]::new)});
    put(new String[][] {persons.stream().map(person -> person.lastName).toArray(String[]::new)});
    put(ColumnType.BOOLEAN, has.length, has.length, ColumnValues.of(new boolean[][] {has}));
    if (!passports.isEmpty()) {
      put(new String[][] {passports.stream().map(each -> each.expiryDate).toArray(String[]::new)});
      put(
          new String[][] {
            passports.stream().map(each -> each.issuingCountry).toArray(String[]::new)
          });
      long[] dates = passports.stream().mapToLong(each -> each.issuingDate).toArray();
      put(
          ColumnType.LONG,
          dates.length,
          (long) Long.BYTES * dates.length,
          ColumnValues.of(new long[][] {dates}));
    }
    byte[] bytes = new byte[page.flip().remaining()];
    page.get(bytes);
    return bytes;
  }

  private void put(String[][] texts) {
    long bytes = 0;
    for (String text : texts[0]) {
      bytes += TEXT_LENGTH_BYTES + text.getBytes(StandardCharsets.UTF_8).length;
    }
    put(ColumnType.STRING, texts[0].length, bytes, ColumnValues.of(texts, null));
  }

  private void put(ColumnType type, int rows, long rawBytes, ColumnValues values) {
    Segment segment = segment(type, rows, rawBytes);
    int most = COLUMN_HEADER_BYTES + serializer.maxSerializedBytes(segment, values);
    if (page.remaining() < most) {
      page = littleEndian(2 * page.capacity() + most).put(page.flip());
    }
    page.put((byte) type.id()).putInt(rows);
    int length = page.position();
    page.putInt(0);
    serializer.serialize(segment, values, page);
    page.putInt(length, page.position() - length - Integer.BYTES);
  }

  @Override
  public Object read(byte[] bytes) throws IOException {
    ByteBuffer in = littleEndian(bytes.length).put(bytes).flip();
    List<ColumnValues> columns = new ArrayList<>();
    try {
      while (in.hasRemaining()) {
        ColumnType type = ColumnType.ofId(in.get());
        int rows = in.getInt();
        int length = in.getInt();
        ByteBuffer segment = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + length);
        ColumnValues values = ColumnValues.allocate(type, rows, false);
        serializer.deserialize(segment(type, rows, length), segment, values);
        columns.add(values);
      }
    } catch (ShipmentException e) {
      throw new IOException(e);
    }
    return persons(columns);
  }

  private static List<Person> persons(List<ColumnValues> columns) {
    String[] firstNames = (String[]) columns.get(0).page(0);
    String[] lastNames = (String[]) columns.get(1).page(0);
    boolean[] has = (boolean[]) columns.get(2).page(0);
    List<Person> persons = new ArrayList<>(has.length);
    int next = 0;
    for (int i = 0; i < has.length; i++) {
      Person person = new Person();
      person.firstName = firstNames[i];
      person.lastName = lastNames[i];
      if (has[i]) {
        Passport passport = new Passport();
        passport.expiryDate = ((String[]) columns.get(3).page(0))[next];
        passport.issuingCountry = ((String[]) columns.get(4).page(0))[next];
        passport.issuingDate = ((long[]) columns.get(5).page(0))[next++];
        person.passport = passport;
      }
      persons.add(person);
    }
    return persons;
  }

  private static Segment segment(ColumnType type, int rows, long rawBytes) {
    Part part =
        new Part(0, "persons", PartKind.INSERTED_VALUES, "field", type, false, rows, rawBytes);
    return new Segment(0, part, 0, rows);
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
