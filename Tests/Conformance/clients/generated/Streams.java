import java.io.File;
import java.nio.file.Files;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.LinesApi;
import org.openapitools.client.api.TablesApi;
import org.openapitools.client.model.DecisionQuery;

/**
 * Lines and a table, through the client that openapi-generator generates from docs/openapi-streams.yaml. Prints the
 * bodies of four answers.
 */
public class Streams {
    public static void main(String[] arguments) throws Exception {
        String org = System.getenv("ORG");
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("API"));
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("KEY")));
        LinesApi lines = new LinesApi(client);
        print(lines.recordConsentLines(org, """
            {"recipient":"ana@example.com","state":"given"}
            {"recipient":"bo@example.com","state":"perhaps"}
            """));
        System.out.print("---\n");
        print(lines.composeLines(org, """
            {"message":{"name":"sale","link":"https://shop.example/"},"format":"plain"}
            "ana@example.com"
            "bo@example.com"
            """));
        System.out.print("---\n");
        print(lines.queryDecisionLines(org, new DecisionQuery().recipient("ana@example.com"), null));
        System.out.print("---\n");
        print(new TablesApi(client).tableOfDecisions(org, null, null, null));
    }

    private static void print(File answer) throws Exception {
        System.out.print(Files.readString(answer.toPath()));
        answer.delete();
    }
}
