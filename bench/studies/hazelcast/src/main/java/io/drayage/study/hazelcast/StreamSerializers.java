package io.drayage.study.hazelcast;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.ByteArraySerializer;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.drayage.study.hazelcast.proto.PersonMessage;
import io.drayage.study.hazelcast.published.persons.Passport;
import io.drayage.study.hazelcast.published.persons.Person;
import io.drayage.study.hazelcast.published.persons.PersonAvro;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.jspecify.annotations.Nullable;

/** Libraries behind Hazelcast's interfaces, as in the study. For one thread. */
final class StreamSerializers {
  private static final int TYPE_ID = 7;

  private StreamSerializers() {}

  /** Avro, with reused encoder and decoder. */
  static final class OfAvro implements StreamSerializer<PersonAvro> {
    private final SpecificDatumWriter<PersonAvro> writer =
        new SpecificDatumWriter<>(PersonAvro.SCHEMA);
    private final SpecificDatumReader<PersonAvro> reader =
        new SpecificDatumReader<>(PersonAvro.SCHEMA);
    private @Nullable BinaryEncoder encoder;
    private @Nullable BinaryDecoder decoder;

    @Override
    public int getTypeId() {
      return TYPE_ID;
    }

    @Override
    public void write(ObjectDataOutput out, PersonAvro person) throws IOException {
      encoder = EncoderFactory.get().binaryEncoder((OutputStream) out, encoder);
      writer.write(person, encoder);
      encoder.flush();
    }

    @Override
    public PersonAvro read(ObjectDataInput in) throws IOException {
      decoder = DecoderFactory.get().binaryDecoder((InputStream) in, decoder);
      return reader.read(null, decoder);
    }
  }

  /** Kryo, with a new output or input each time. */
  static final class OfKryo implements StreamSerializer<Person> {
    private final Kryo kryo = new Kryo();

    OfKryo() {
      kryo.register(Person.class);
      kryo.register(Passport.class);
    }

    @Override
    public int getTypeId() {
      return TYPE_ID;
    }

    @Override
    public void write(ObjectDataOutput out, Person person) {
      Output output = new Output((OutputStream) out);
      kryo.writeObject(output, person);
      output.flush();
    }

    @Override
    public Person read(ObjectDataInput in) {
      return kryo.readObject(new Input((InputStream) in), Person.class);
    }
  }

  /** Protocol Buffers, by an array of bytes. */
  static final class OfProtobuf implements ByteArraySerializer<PersonMessage> {
    @Override
    public int getTypeId() {
      return TYPE_ID;
    }

    @Override
    public byte[] write(PersonMessage person) {
      return person.toByteArray();
    }

    @Override
    public PersonMessage read(byte[] bytes) throws IOException {
      return PersonMessage.parseFrom(bytes);
    }
  }

  /** JSON that is really made and parsed; the study copies a text instead. */
  static final class OfJson implements ByteArraySerializer<Person> {
    @Override
    public int getTypeId() {
      return TYPE_ID;
    }

    @Override
    public byte[] write(Person person) throws IOException {
      return Options.JSON.writeValueAsBytes(person);
    }

    @Override
    public Person read(byte[] bytes) throws IOException {
      return Options.JSON.readValue(bytes, Person.class);
    }
  }
}
