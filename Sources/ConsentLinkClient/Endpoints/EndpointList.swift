struct EndpointList: Decodable {
    let endpoints: [Endpoint]
}
